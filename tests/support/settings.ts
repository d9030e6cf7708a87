import { readSettings, requireNoMistakes } from '~/server/operations/settings/settings.server'

/**
 * Returns the settings that Learnify reads from these environment variables, without a `.env` file.
 */
export function readEnvironment(variables: Record<string, string>) {
  const { values, mistakes } = readSettings({ ENV_FILE: '/dev/null', ...variables }, '.')
  requireNoMistakes(mistakes)
  return values
}
