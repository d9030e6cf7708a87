import { photoMessages } from './settings-messages'

/**
 * Allowed types and sizes of a profile photo. The server checks the bytes; the browser's check only saves an upload.
 */
export const photoRules = {
  maxBytes: 5 * 1024 * 1024,
  types: ['image/jpeg', 'image/png', 'image/webp'],
  /** Phone cameras produce at most this by default; larger pictures take too much memory to decode. */
  maxPixels: 25_000_000,
  /** Width and height of the stored square, in pixels. */
  storedPixels: 256,
} as const

/** Checks a chosen file without reading it. @returns a message, or null if it may be sent. */
export function checkChosenPhoto(file: { size: number; type: string }): string | null {
  if (file.size > photoRules.maxBytes) return photoMessages.tooLarge
  return photoRules.types.some((type) => type === file.type) ? null : photoMessages.wrongKind
}
