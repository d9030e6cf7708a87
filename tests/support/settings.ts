import { readSettings, requireNoMistakes } from '~/server/operations/settings/settings.server'

/** The settings that Learnify has with these variables and no `.env`. */
export function readEnvironment(variables: Record<string, string>) {
  const { values, mistakes } = readSettings({ ENV_FILE: '/dev/null', ...variables }, '.')
  requireNoMistakes(mistakes)
  return values
}
