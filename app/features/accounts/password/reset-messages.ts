/** What resetting a password says, by what the link is. */
export const resetIntros = {
  replace: 'You’ll be signed out everywhere else.',
  first: 'From then on, sign in with your email address and this password.',
  expired: 'This link has expired or has already been used. Request a new one:',
  none: 'Enter your account’s email address, and we’ll send you a link.',
} as const
