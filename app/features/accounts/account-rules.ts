/** Maximum lengths of fields, in UTF-16 code units like the attribute `maxlength`. */
export const accountLimits = { name: 100, email: 254, phone: 40, location: 120 } as const

/**
 * The display name of an account whose sign-in provider sent no name, as the specification
 * requires. The learner is asked for their real name. Until they give it, they get no certificate,
 * and public pages show no name.
 */
export const placeholderName = 'User'

/**
 * The types and sizes that a profile photo may have. The server checks the bytes. The browser
 * checks the file before the upload, so that nobody waits for an upload that the server refuses.
 */
export const photoRules = {
  maxBytes: 5 * 1024 * 1024,
  types: ['image/jpeg', 'image/png', 'image/webp'],
  /** Phone cameras stay below this by default. Decoding larger pictures takes too much memory. */
  maxPixels: 25_000_000,
  /** Width and height of the stored square, in pixels. */
  storedPixels: 256,
} as const

/**
 * The specification's limits for passwords, in UTF-16 code units like the attribute `maxlength`.
 * The setting `PASSWORD_MIN_LENGTH` may require more of new passwords.
 */
export const passwordLength = { min: 6, max: 200 } as const

export type PasswordStrength = 'none' | 'weak' | 'medium' | 'strong'

const minStrongLength = 10

/** Returns the length from which a password can be strong. */
export function getStrongLength(minLength: number): number {
  return Math.max(minStrongLength, minLength)
}

/**
 * Rates a password by the specification's rule. A strong password is long enough, and has
 * lower-case letters, upper-case letters and digits.
 */
export function getPasswordStrength(
  password: string,
  minLength: number = passwordLength.min,
): PasswordStrength {
  if (password === '') {
    return 'none'
  }

  if (password.length < minLength) {
    return 'weak'
  }

  const isLong = password.length >= getStrongLength(minLength)
  const hasEveryKind = /[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password)

  return isLong && hasEveryKind ? 'strong' : 'medium'
}
