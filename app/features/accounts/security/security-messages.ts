export const securityNotices = {
  passwordChanged: 'Your password has been changed.',
  passwordChangedOthersEnded: 'Your password has been changed, and all other devices are signed out.',
  deviceEnded: 'That device is signed out.',
  othersEnded: 'All other devices are signed out.',
} as const

export const securityTexts = {
  demo: 'The demo account is shared, so its password can’t be changed, and its devices aren’t shown.',
  noPassword: 'Your account has no password. To sign in with one, too,',
  devices:
    'The time of the last use is noted once a day. We don’t store IP addresses, so we can’t show where a device is.',
} as const
