import { siteName } from '../site/site.server'

/** The messages to visitors that the server itself sends, before or instead of a feature. */

export const unreadableAddress = 'We couldn’t read this address.'
export const unreadableForm = 'We couldn’t read this form. Please try again.'
export const unstorableForm = 'This form contains characters that we can’t save.'
export const unreadableRequest = 'We couldn’t read this request.'
export const tooLarge = 'This is too large to send.'
export const unknownMethodMessage = 'This method isn’t supported.'
export const foreignOrigin = 'This request didn’t come from this site.'
export const foreignHost = 'This server doesn’t serve that host name.'
export const fileNotFound = 'We couldn’t find that file.'
export const mediaNotFound =
  'We couldn’t find that file, or its link has expired. Please reload the lesson.'
export const internalErrorMessage =
  'Something went wrong on our side. Please try again in a moment.'
export const signInRequired = 'Please sign in first.'
export const tryAgainInAMoment = 'Try again in a moment.'
export const unknownTimeZone = 'We don’t know this time zone.'
export const noMailHere = 'There’s no mail to see here.'
export const noSuchList = 'There’s no such list.'

export const rightBack = 'We’ll be right back'
export const busy = () => `${siteName()} is very busy right now. Please try again in a few seconds.`

export const maintenanceTexts = {
  usual: () =>
    `${siteName()} is under maintenance. You can still browse courses, but nothing can be saved right now.`,
  back: (time: string) => `Please try again after ${time}.`,
  backSoon: 'Please try again in a few minutes.',
} as const
