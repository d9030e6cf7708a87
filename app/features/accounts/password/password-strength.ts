import { passwordLength } from '../account-limits'

export type PasswordStrength = 'none' | 'weak' | 'medium' | 'strong'

const strongFromLength = 10

/** The specification's rule: nothing, too short, under 10 characters or without all three kinds, or strong. */
export function passwordStrength(password: string): PasswordStrength {
  if (password === '') return 'none'
  if (password.length < passwordLength.min) return 'weak'
  const everyKind = /[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password)
  return password.length >= strongFromLength && everyKind ? 'strong' : 'medium'
}
