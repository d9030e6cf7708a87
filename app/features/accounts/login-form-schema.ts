import * as z from 'zod/mini'
import { emailField, passwordField, tickField } from './account-fields'

export const loginForm = z.object({ email: emailField, password: passwordField, rememberMe: tickField })
