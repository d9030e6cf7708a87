import { accountLimits } from '~/server/auth/account-codes'

export type PasswordStrength = 'none' | 'weak' | 'medium' | 'strong'

const strongFromLength = 10

/** The specification's rule: nothing, under 6 characters, under 10 or without all three kinds, or strong. */
export function passwordStrength(password: string): PasswordStrength {
  if (password === '') return 'none'
  if (password.length < accountLimits.passwordMin) return 'weak'
  const everyKind = /[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password)
  return password.length >= strongFromLength && everyKind ? 'strong' : 'medium'
}
