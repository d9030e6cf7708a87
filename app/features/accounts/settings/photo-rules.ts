/** What a profile photo may be; the server looks at the bytes, the browser only saves a wasted upload. */
export const photoRules = {
  maxBytes: 5 * 1024 * 1024,
  types: ['image/jpeg', 'image/png', 'image/webp'],
  /** As many as a telephone's camera gives by default; a picture that unfolds to more takes memory from everybody. */
  maxPixels: 25_000_000,
  /** What is stored: a square of this many pixels. */
  storedPixels: 256,
} as const

export const photoMessages = {
  tooLarge: 'The photo is larger than 5 MB. Please choose a smaller one',
  tooManyPixels: 'The photo has more than 25 megapixels. Please choose a smaller one',
  moving: 'Please choose a photo that does not move',
  wrongKind: 'Please choose a photo in JPEG, PNG or WebP format',
  unreadable: 'This photo cannot be read. Please choose another one',
  tooOften: 'You have changed your photo often within the last hour. Please try again later',
  busy: 'Many photos are being saved just now. Please try again in a minute',
} as const

/** What can be said of a chosen file without reading it. @returns a message, or null if it may be sent. */
export function checkChosenPhoto(file: { size: number; type: string }): string | null {
  if (file.size > photoRules.maxBytes) return photoMessages.tooLarge
  return photoRules.types.some((type) => type === file.type) ? null : photoMessages.wrongKind
}
