import * as z from 'zod/mini'
import { accountLimits } from '../account-limits'
import { passwordLength } from '../password/password-length'
import { storable, text } from '../settings/profile-fields'
import { fieldMessages } from './form-messages'

/** Fields that several forms share, with the specification's messages; the browser and the server check by the same. */

/**
 * A rough check: the service decides whether email can be sent there. The length goes first because it bounds the
 * pattern.
 */
function looksRight(email: string): boolean {
  return email.length <= accountLimits.email && storable(email) && /^\S+@\S+\.\S+$/.test(email)
}

export function emailField(required: string = fieldMessages.email.required) {
  return z.pipe(
    text,
    z
      .string()
      .check(z.trim(), z.toLowerCase(), z.minLength(1, required), z.refine(looksRight, fieldMessages.email.invalid)),
  )
}

export const passwordField = z.pipe(
  text,
  z
    .string()
    .check(
      z.minLength(1, fieldMessages.password.required),
      z.minLength(passwordLength.min, fieldMessages.password.tooShort),
      z.maxLength(passwordLength.max, fieldMessages.password.tooLong),
      z.refine(storable, fieldMessages.notStorable),
    ),
)

/** A checkbox sends 'on' or nothing. */
export const tickField = z.pipe(
  text,
  z.transform((value) => value === 'on'),
)

/** The specification's rule for a password that is typed twice. */
export const confirmation = {
  field: z.pipe(text, z.string().check(z.minLength(1, fieldMessages.confirmPassword.required))),
  check: z.refine<{ password: string; confirmPassword: string }>(
    ({ password, confirmPassword }) => confirmPassword === '' || password === confirmPassword,
    { error: fieldMessages.confirmPassword.different, path: ['confirmPassword'], when: () => true },
  ),
}
