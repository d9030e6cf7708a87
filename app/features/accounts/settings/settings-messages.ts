/** Texts of the settings. The messages beside fields are in `form/form-messages.ts`. */
export const settingsMessages = {
  settingsSaved: 'Settings saved successfully!',
  unsavedInputKept: 'What you typed is kept on this device.',
  draftRestored: 'We kept what you typed last time. It isn’t saved yet.',
  certificateNameHint:
    'New certificates are issued in this name. After a correction, the page of each certificate you already have says how to get it in your new name.',
  emailUnchangeable: 'Email cannot be changed for security reasons',
  photoMessages: {
    tooLarge: 'Photos can be up to 5 MB. Please choose a smaller one',
    tooManyPixels: 'Photos can be up to 25 megapixels. Please choose a smaller one',
    moving: 'Please choose a photo that isn’t animated',
    wrongKind: 'Please choose a JPEG, PNG or WebP photo',
    unreadable: 'We couldn’t read this photo. Please choose another one',
    tooOften: 'You’ve changed your photo too often in the last hour. Please try again later',
    noStorage: 'We can’t store photos right now. Please try again in a few minutes',
    busy: 'We’re processing many photos right now. Please try again in a minute',
  } as const,
  archiveRefusals: {
    'under-way': 'Your data is already being downloaded. Please try again once that’s done.',
    busy: 'Many learners are downloading their data right now. Please try again in a minute.',
    'over-limit': 'You’ve downloaded your data several times already. Please try again in an hour.',
  } as const,
  readyToDownload: 'Thanks! You can download your data now.',
  deletionTexts: {
    intro:
      'Permanently deletes your account and all your work. Your certificates will show as withdrawn, without your name.',
    demoAccount: 'The demo account is shared, so it can’t be deleted.',
    nothingDeleted: 'Nothing was deleted.',
    hasRecentSignIn: 'You signed in or confirmed that it’s you a short while ago.',
    noPassword: 'Your account has no password.',
    signInAgain: 'Sign in again, or',
    confirmIdentity: 'confirm it’s you',
  } as const,
}
