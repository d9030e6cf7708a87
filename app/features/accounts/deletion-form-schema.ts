import * as z from 'zod/mini'
import { accountLimits } from '~/server/auth/account-codes'

/** `uid` is whose page the form stood on: a session that changed meanwhile deletes nobody. Accounts without password send none. */
export const deletionForm = z.strictObject({
  uid: z.string().check(z.minLength(1), z.maxLength(200)),
  password: z._default(z.string().check(z.maxLength(accountLimits.password)), ''),
})
