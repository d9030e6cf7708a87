/** What the shared demo account may not do. */
export const demoRefusals = {
  profile: 'The demo account is shared, so its profile can’t be changed. Create your own account to try this.',
  review: 'The demo account is shared, so it can’t write or rate reviews. Create your own account to try this.',
  note: 'The demo account is shared, so it can’t keep notes. Create your own account to try this.',
  certificate: 'The demo account is shared, so its certificates can’t be changed.',
} as const
