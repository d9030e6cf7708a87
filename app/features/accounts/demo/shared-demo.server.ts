import { demoUid } from '~/server/demo-uid.server'
import { isLoopback } from '~/server/env.server'

const refusals = {
  profile: 'The demo account is shared, so its profile can’t be changed. Create your own account to try this.',
  review: 'The demo account is shared, so it can’t write or rate reviews. Create your own account to try this.',
  note: 'The demo account is shared, so it can’t keep notes. Create your own account to try this.',
  certificate: 'The demo account is shared, so its certificates can’t be changed.',
} as const

/** On a public address the demo account is used by people who do not know each other. */
export function isSharedDemo(uid: string, loopback = isLoopback): boolean {
  return uid === demoUid && !loopback
}

/**
 * The one place that says what the shared demo account may not do: whatever others see, and whatever keeps one visitor's
 * words for the next. It reads and learns. On a loopback address it may do all that a learner may.
 *
 * @returns a sentence, or null where it may.
 */
export function demoRefusal(uid: string, action: keyof typeof refusals, loopback = isLoopback): string | null {
  return isSharedDemo(uid, loopback) ? refusals[action] : null
}
