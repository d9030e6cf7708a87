import type { ReactNode } from 'react'
import { momentText } from '~/ui/date-text'

/** What confirming an address says. @param email as it stands in the page. */
export const confirmation = {
  visitor: 'Sign in, and we’ll send you a new link.',
  confirmed: 'Your email address is confirmed. You’re all set.',
  unconfirmed: (email: ReactNode): ReactNode => (
    <>We’ll send a link to {email}. Confirm your address to receive certificates.</>
  ),
  question: (email: ReactNode, madeAt: string): ReactNode => (
    <>
      Someone created an account for {email} on {momentText(madeAt, 'UTC')}. Was that you?
    </>
  ),
  ifNot: 'If it wasn’t you, we’ll lock that account so no one can sign in to it.',
  sent: 'We’ve sent you a new link',
} as const
