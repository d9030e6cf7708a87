import { eq } from 'drizzle-orm'
import { data, redirect } from 'react-router'
import type { AccountCode, AccountServiceCode, SocialProviderId } from '~/server/auth/account-codes'
import { accountServiceCodes } from '~/server/auth/account-codes'
import { demoUid } from '~/server/auth/demo-account.server'
import { accountService } from '~/server/auth.server'
import type { Database } from '~/server/database/client.server'
import { identities } from '~/server/database/schema'
import type { FileStore } from '~/server/files.server'
import { readForm } from '~/server/request-body.server'
import { callService } from './account-form-actions.server'
import { deletionForm } from './deletion-form-schema'
import { checkForm } from './form-check'
import { removeAccount } from './own-data-removal.server'

/** What the settings page has to know to ask for the right proof. */
export type Ownership = { password: boolean; providers: SocialProviderId[]; demo: boolean }

export async function getOwnership(db: Database, uid: string): Promise<Ownership> {
  const rows = await db.select({ provider: identities.providerId }).from(identities).where(eq(identities.userId, uid))
  const has = (id: string) => rows.some(({ provider }) => provider === id)
  const providers = accountService.socialProviders.filter(has)
  return { password: has('credential'), providers, demo: uid === demoUid }
}

export type DeletionAnswer = { deleted: true } | { deleted: false; code: AccountCode }

/**
 * The action of 'Delete my account'. A browser with scripts gets an answer, one without is led on: to the login page, or
 * back with the reason in the address. Either way the cookies of the session go with the account.
 */
export async function deleteAccount(
  parts: { db: Database; files: Pick<FileStore, 'remove'> },
  request: Request,
  navigation: boolean,
) {
  const { data: wanted } = checkForm(deletionForm, await readForm(request))
  const code = wanted ? await accountService.confirmOwner(request, wanted.uid, wanted.password) : 'invalid-request'
  if (code || !wanted) return refuse(code ?? 'invalid-request', navigation)
  await removeAccount(parts, wanted.uid)
  const { cookies } = await callService(request, 'logout', {})
  return navigation
    ? redirect('/Login?notice=account-deleted', { headers: cookies, status: 303 })
    : data<DeletionAnswer>({ deleted: true }, { headers: cookies })
}

function refuse(code: AccountServiceCode, navigation: boolean) {
  if (navigation) return redirect(`/Profile/settings?${new URLSearchParams({ refused: code })}#own-data`, 303)
  return data<DeletionAnswer>({ deleted: false, code }, accountServiceCodes[code])
}
