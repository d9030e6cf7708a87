import { siteName } from '../site/site.server'

/** The messages to visitors that the server itself sends, before or instead of a feature. */
export const serverMessages = {
  unreadableAddress: 'We couldn’t read this address.',
  unreadableForm: 'We couldn’t read this form. Please try again.',
  unstorableForm: 'This form contains characters that we can’t save.',
  unreadableRequest: 'We couldn’t read this request.',
  tooLarge: 'This is too large to send.',
  unknownMethod: 'This method isn’t supported.',
  foreignOrigin: 'This request didn’t come from this site.',
  foreignHost: 'This server doesn’t serve that host name.',
  fileNotFound: 'We couldn’t find that file.',
  mediaNotFound: 'We couldn’t find that file, or its link has expired. Please reload the lesson.',
  internalError: 'Something went wrong on our side. Please try again in a moment.',
  signInRequired: 'Please sign in first.',
  tryAgainInAMoment: 'Try again in a moment.',
  unknownTimeZone: 'We don’t know this time zone.',
  noMailHere: 'There’s no mail to see here.',
  noSuchList: 'There’s no such list.',
  rightBack: 'We’ll be right back',
  busy: () => `${siteName()} is very busy right now. Please try again in a few seconds.`,
  maintenance: {
    defaultMessage: () =>
      `${siteName()} is under maintenance. You can still browse courses, but nothing can be saved right now.`,
    retryAfter: (time: string) => `Please try again after ${time}.`,
    retrySoon: 'Please try again in a few minutes.',
  } as const,
}
