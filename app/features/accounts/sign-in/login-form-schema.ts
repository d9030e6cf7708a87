import * as z from 'zod/mini'
import { resetNeedsEmail } from '../account-errors'
import { emailField, passwordField, tickField } from '../form/account-fields'

export const loginForm = z.object({ email: emailField(), password: passwordField, rememberMe: tickField })

/** The same form, sent by its button 'Forgot password?'. */
export const forgottenPasswordForm = z.object({ email: emailField(resetNeedsEmail) })
