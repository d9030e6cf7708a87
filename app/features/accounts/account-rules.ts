/** Maximum lengths of typed text, in UTF-16 code units like `maxlength`. */
export const accountLimits = { name: 100, email: 254, phone: 40, location: 120 } as const

/**
 * Allowed types and sizes of a profile photo. The server checks the bytes; the browser's check only
 * saves an upload.
 */
export const photoRules = {
  maxBytes: 5 * 1024 * 1024,
  types: ['image/jpeg', 'image/png', 'image/webp'],
  /**
   * Phone cameras produce at most this by default; larger pictures take too much memory to decode.
   */
  maxPixels: 25_000_000,
  /** Width and height of the stored square, in pixels. */
  storedPixels: 256,
} as const

/**
 * The specification's limits for passwords, in UTF-16 code units like `maxlength`.
 * `PASSWORD_MIN_LENGTH` may ask more of new ones. All texts about the length are built from these
 * numbers.
 */
export const passwordLength = { min: 6, max: 200 } as const

export type PasswordStrength = 'none' | 'weak' | 'medium' | 'strong'

export function strongFromLength(minLength: number): number {
  return Math.max(10, minLength)
}

/**
 * The specification's rule: nothing, too short, under 10 characters or without all three kinds, or
 * strong.
 */
export function passwordStrength(
  password: string,
  minLength: number = passwordLength.min,
): PasswordStrength {
  if (password === '') {
    return 'none'
  }

  if (password.length < minLength) {
    return 'weak'
  }

  const everyKind = /[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password)

  return password.length >= strongFromLength(minLength) && everyKind ? 'strong' : 'medium'
}
