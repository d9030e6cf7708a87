/** What a profile photo may be; the server looks at the bytes, the browser only saves a wasted upload. */
export const photoRules = {
  maxBytes: 5 * 1024 * 1024,
  types: ['image/jpeg', 'image/png', 'image/webp'],
  /** What phone cameras produce by default; larger pictures take too much memory to decode. */
  maxPixels: 25_000_000,
  /** What is stored: a square of this many pixels. */
  storedPixels: 256,
} as const

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

/** What can be said of a chosen file without reading it. @returns a message, or null if it may be sent. */
export function checkChosenPhoto(file: { size: number; type: string }): string | null {
  if (file.size > photoRules.maxBytes) return photoMessages.tooLarge
  return photoRules.types.some((type) => type === file.type) ? null : photoMessages.wrongKind
}
