import { queueMail } from '~/server/mail/outbox.server'
import type { AccountServiceCode } from '../account-errors'
import { passwordLength } from '../account-limits'
import { findUserByEmail } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits, mailboxOf } from '../attempt-limits.server'
import { canonicalEmail } from '../email-address/email-address.server'
import { hashPassword, passwordsAreFull } from '../password/passwords.server'
import { countClientAttempt, type RequestContext } from '../session/request-context.server'
import { beginSession } from '../session/session.server'
import { rememberBrowser } from '../sign-in/known-browsers.server'

export type Registration = {
  email: string
  password: string
  firstName: string
  lastName: string
  rememberMe?: boolean
}

const limitsByClient = [attemptLimits.registrationByClient, attemptLimits.registrationByClientAndDay]

/** Makes an account with its welcome mail, and signs its browser in. @returns null, or why not. */
export async function registerAccount(
  service: AccountService,
  requestContext: RequestContext,
  { email: typed, password, firstName, lastName, rememberMe = true }: Registration,
): Promise<AccountServiceCode | null> {
  const { db, attempts } = service
  const email = canonicalEmail(typed)
  if (!email) return 'invalid-email'
  if (password.length < passwordLength.min) return 'weak-password'
  if (passwordsAreFull()) return 'busy'
  if (!(await countClientAttempt(service, requestContext, ...limitsByClient))) return 'too-many-requests'
  if (await findUserByEmail(db, email)) return 'email-already-in-use'
  const hash = await hashPassword(password)
  if (!hash) {
    for (const limit of limitsByClient) await attempts.giveBack(limit, requestContext.client)
    return 'busy'
  }
  const uid = await createAccount(service, { email, firstName, lastName, hash })
  if (!uid) return 'email-already-in-use'
  // Registering and deleting an account again and again doesn't fill a mailbox.
  if (await attempts.take(attemptLimits.welcomeByMailbox, mailboxOf(email))) await queueMail(db, uid, 'welcome')
  service.mailQueued()
  const refusal = await beginSession(service, requestContext, { uid, hash, rememberMe })
  if (!refusal) await rememberBrowser(service, requestContext, uid, hash)
  return refusal
}

/** @returns null when the email address has an account already, even if another request made it just now. */
async function createAccount(
  { db, auth }: AccountService,
  account: { email: string; firstName: string; lastName: string; hash: string },
): Promise<string | null> {
  const name = `${account.firstName} ${account.lastName}`
  try {
    return await auth.api.createPasswordAccount({ body: { ...account, name } })
  } catch (error) {
    if (await findUserByEmail(db, account.email)) return null
    throw error
  }
}
