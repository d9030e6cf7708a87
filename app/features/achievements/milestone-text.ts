import { achievementActivity, streakActivity } from './achievement-messages'
import { achievementDefinitions, furtherGoalWords } from './achievements'

/**
 * What an activity says of a milestone, in the words of today whenever it was recorded: its id has the facts
 * (`streak:7:2026-11-20`, `achievement:bookworm`, `goal:bookworm:100`).
 *
 * @returns null for every other event, whose sentence was stored with it: it names a title of that time.
 */
export function milestoneText(id: string): string | null {
  const [kind, subject = '', goal = ''] = id.split(':')
  if (kind === 'streak') return streakActivity(subject)
  if (kind === 'goal') return furtherGoalWords(subject, Number(goal))?.reached ?? null
  const definition = kind === 'achievement' && achievementDefinitions.find((one) => one.id === subject)
  return definition ? achievementActivity(definition.name) : null
}
