import * as z from 'zod/mini'
import { confirmation, emailField, passwordField } from '../form/account-fields'

/** Requests a link. */
export const resetRequestForm = z.object({ email: emailField() })

/** Sets the new password, with the token from the link. */
export const newPasswordForm = z
  .object({ token: z.string().check(z.maxLength(200)), password: passwordField, confirmPassword: confirmation.field })
  .check(confirmation.check)
