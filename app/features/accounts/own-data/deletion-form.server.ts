import { eq } from 'drizzle-orm'
import { redirect } from 'react-router'
import * as z from 'zod/mini'
import { done, isPlainForm } from '~/server/action-result.server'
import type { Database } from '~/server/database/client.server'
import { identities } from '~/server/database/schema/index'
import { demoUid } from '~/server/demo-uid.server'
import type { FileStore } from '~/server/files.server'
import { reportError } from '~/server/log.server'
import { productWatch } from '~/server/product-watch.server'
import { readForm } from '~/server/request-body.server'
import type { AccountServiceCode } from '../account-codes'
import { accountService } from '../account-service.server'
import { refuseAccountForm } from '../form/account-refusal.server'
import { checkForm } from '../form/form-check'
import { confirmOwner } from '../password/owner-confirmation.server'
import { passwordLength } from '../password/password-length'
import { signOut } from '../session/session.server'
import { openVisit } from '../session/visit.server'
import type { SocialProviderId } from '../social/social-provider'
import { deleteAccount, type RatingsChange } from './account-deletion.server'

type Parts = {
  db: Database
  files: Pick<FileStore, 'remove'>
  ratingsChange: RatingsChange
}

/** What the settings page needs to ask for the right proof. */
export type Ownership = { password: boolean; providers: SocialProviderId[]; demo: boolean }

export async function getOwnership(db: Database, uid: string): Promise<Ownership> {
  const rows = await db.select({ provider: identities.providerId }).from(identities).where(eq(identities.userId, uid))
  const has = (id: string) => rows.some(({ provider }) => provider === id)
  const providers = accountService.providers.map(({ id }) => id).filter(has)
  return { password: has('credential'), providers, demo: uid === demoUid }
}

/**
 * `uid` is whose page the form stood on: a session that changed meanwhile deletes no one. Accounts without a password
 * send none.
 */
const deletionForm = z.strictObject({
  uid: z.string().check(z.minLength(1), z.maxLength(200)),
  password: z._default(z.string().check(z.maxLength(passwordLength.max)), ''),
})

/**
 * The action of 'Delete my account'. A browser with scripts gets an answer, one without is led on: to the login page, or
 * back with the reason in the address. Either way the cookies of the session go with the account.
 */
export async function answerDeletion(parts: Parts, request: Request) {
  const { data: wanted } = checkForm(deletionForm, await readForm(request))
  const visit = openVisit(request)
  const code = wanted ? await confirmOwner(accountService, visit, wanted) : 'invalid-request'
  if (code || !wanted) return refuseDeletion(code ?? 'invalid-request')
  await deleteOwnAccount(parts, wanted.uid)
  await signOut(accountService, visit)
  return done({}, { headers: visit.cookies, page: '/Login?notice=account-deleted' })
}

function refuseDeletion(code: AccountServiceCode) {
  if (isPlainForm()) throw redirect(`/Profile/settings?${new URLSearchParams({ refused: code })}#own-data`, 303)
  return refuseAccountForm(code)
}

/**
 * Deletes an account, and the file of its photo.
 *
 * @returns false if there is no such account (any more).
 */
export async function deleteOwnAccount({ db, files, ratingsChange }: Parts, uid: string): Promise<boolean> {
  const removed = await db.transaction((transaction) => deleteAccount(transaction, ratingsChange, uid))
  if (!removed) return false
  await productWatch.check()
  // The account is gone either way; nobody can find the address of a photo that stays behind.
  if (removed.photo) await files.remove(removed.photo).catch((error) => reportError(error))
  return true
}
