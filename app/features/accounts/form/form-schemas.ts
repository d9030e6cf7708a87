import * as z from 'zod/mini'
import { resetNeedsEmail } from '../account-errors'
import { confirmation, emailField, nameField, passwordField, profileFields, tickField } from './field-schemas'
import { fieldMessages } from './form-messages'

export const loginForm = z.object({ email: emailField(), password: passwordField, rememberMe: tickField })

/** The same form, sent by its button 'Forgot password?'. */
export const forgottenPasswordForm = z.object({ email: emailField(resetNeedsEmail) })

export const signUpForm = z
  .object({
    firstName: nameField('firstName'),
    lastName: nameField('lastName'),
    email: emailField(),
    password: passwordField,
    confirmPassword: confirmation.field,
    terms: z.pipe(tickField, z.literal(true, { error: fieldMessages.terms })),
  })
  .check(confirmation.check)

/** Requests a link. */
export const resetRequestForm = z.object({ email: emailField() })

/** Sets the new password, with the token from the link. */
export const newPasswordForm = z
  .object({ token: z.string().check(z.maxLength(200)), password: passwordField, confirmPassword: confirmation.field })
  .check(confirmation.check)

/** The profile's settings, without the photo, which is checked by its bytes. */
export const settingsForm = z.object({
  ...profileFields,
  /** Empty: as the browser. Left out, what is stored stays. */
  timezone: z.optional(
    z.union(
      [
        z.pipe(
          z.literal(''),
          z.transform(() => null),
        ),
        profileFields.timezone,
      ],
      { error: fieldMessages.timezone },
    ),
  ),
  removePhoto: tickField,
})

export type SettingsFields = z.infer<typeof settingsForm>
