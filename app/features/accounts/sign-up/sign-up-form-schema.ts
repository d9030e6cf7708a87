import * as z from 'zod/mini'
import { confirmation, emailField, passwordField, tickField } from '../form/account-fields'
import { fieldMessages } from '../form/form-messages'
import { nameField } from '../settings/profile-fields'

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
