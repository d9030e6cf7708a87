/** Messages about downloading one's data and deleting one's account. */

export const archiveRefusals = {
  'under-way': 'Your data is already being downloaded. Please try again once that’s done.',
  busy: 'Many learners are downloading their data right now. Please try again in a minute.',
  'over-limit': 'You’ve downloaded your data several times already. Please try again in an hour.',
} as const

export const deletion = {
  means:
    'Permanently deletes your account and all your work. Your certificates will show as withdrawn, without your name.',
  demo: 'The demo account is shared, so it can’t be deleted.',
  nothingDeleted: 'Nothing was deleted.',
  confirmed: 'Thanks! You have five minutes to delete your account.',
  signInAgain: 'Your account has no password. Sign in again to confirm it’s you:',
} as const
