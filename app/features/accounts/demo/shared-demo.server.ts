import { demoUid } from '~/server/demo-uid.server'
import { isLoopback } from '~/server/env.server'
import { demoRefusals } from './demo-messages'

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
export function demoRefusal(uid: string, action: keyof typeof demoRefusals, loopback = isLoopback): string | null {
  return isSharedDemo(uid, loopback) ? demoRefusals[action] : null
}
