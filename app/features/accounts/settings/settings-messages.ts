/** Messages about the profile and its photo; those beside the other fields are in `form/form-messages.ts`. */

export const settingsSaved = 'Settings saved successfully!'
export const typedIsKept = 'What you typed is kept on this device.'
export const draftRestored = 'We kept what you typed last time. It isn’t saved yet.'
export const emailStays = 'Email cannot be changed for security reasons'

export const photoMessages = {
  tooLarge: 'Photos can be up to 5 MB. Please choose a smaller one',
  tooManyPixels: 'Photos can be up to 25 megapixels. Please choose a smaller one',
  moving: 'Please choose a photo that isn’t animated',
  wrongKind: 'Please choose a JPEG, PNG or WebP photo',
  unreadable: 'We couldn’t read this photo. Please choose another one',
  tooOften: 'You’ve changed your photo too often in the last hour. Please try again later',
  noStorage: 'We can’t store photos right now. Please try again in a few minutes',
  busy: 'We’re processing many photos right now. Please try again in a minute',
} as const
