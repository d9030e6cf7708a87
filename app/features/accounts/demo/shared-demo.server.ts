import { demoUid } from '~/server/demo-uid.server'
import { isLoopback } from '~/server/env.server'

const refusals = {
  profile:
    'The demo account is shared by everybody, so its profile stays as it is. Make an account of your own to try this.',
  review: 'The demo account reads reviews, but writes and votes on none. Make an account of your own to try this.',
  note: 'The demo account is shared by everybody, so it keeps no notes. Make an account of your own to try this.',
  certificate: 'The demo account is shared by everybody, so its certificates stay as they are.',
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
