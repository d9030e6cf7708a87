import * as z from 'zod/mini'
import { accountLimits } from '~/server/auth/account-codes'
import { notStorable, storable, text } from '~/server/auth/profile-fields'

/** Fields that several forms share, with the specification's messages; the browser and the server check by the same. */

/** Only roughly: whether mail can be sent there is the service's question. The length first, it bounds the pattern. */
function looksRight(email: string): boolean {
  return email.length <= accountLimits.email && storable(email) && /^\S+@\S+\.\S+$/.test(email)
}

export const emailField = z.pipe(
  text,
  z.string().check(z.trim(), z.minLength(1, 'Email is required'), z.refine(looksRight, 'Please enter a valid email')),
)

export const passwordField = z.pipe(
  text,
  z
    .string()
    .check(
      z.minLength(1, 'Password is required'),
      z.minLength(accountLimits.passwordMin, 'Password must be at least 6 characters'),
      z.maxLength(accountLimits.password, `Password can have at most ${accountLimits.password} characters`),
      z.refine(storable, notStorable),
    ),
)

/** A checkbox sends 'on' or nothing. */
export const tickField = z.pipe(
  text,
  z.transform((value) => value === 'on'),
)

/** The specification's confirmation rule for a password that is typed twice. */
export const confirmation = {
  field: z.pipe(text, z.string().check(z.minLength(1, 'Please confirm your password'))),
  check: z.refine<{ password: string; confirmPassword: string }>(
    ({ password, confirmPassword }) => confirmPassword === '' || password === confirmPassword,
    { error: 'Passwords do not match', path: ['confirmPassword'], when: () => true },
  ),
}
