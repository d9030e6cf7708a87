import * as z from 'zod/mini'
import { confirmation, emailField, passwordField, tickField } from '../form/account-fields'
import { nameField } from '../settings/profile-fields'

export const signUpForm = z
  .object({
    firstName: nameField('First name'),
    lastName: nameField('Last name'),
    email: emailField(),
    password: passwordField,
    confirmPassword: confirmation.field,
    terms: z.pipe(tickField, z.literal(true, { error: 'You must agree to the terms and conditions' })),
  })
  .check(confirmation.check)
