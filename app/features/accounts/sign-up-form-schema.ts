import * as z from 'zod/mini'
import { nameField } from '~/server/auth/profile-fields'
import { confirmation, emailField, passwordField, tickField } from './account-fields'

export const signUpForm = z
  .object({
    firstName: nameField('First name'),
    lastName: nameField('Last name'),
    email: emailField,
    password: passwordField,
    confirmPassword: confirmation.field,
    terms: z.pipe(tickField, z.literal(true, { error: 'You must agree to the terms and conditions' })),
  })
  .check(confirmation.check)
