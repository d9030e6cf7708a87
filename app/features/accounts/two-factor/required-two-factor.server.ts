import { count, eq } from 'drizzle-orm'
import { redirect } from 'react-router'
import type { Database } from '~/server/database/client.server'
import { staff } from '~/server/database/schema/index'
import { env } from '~/server/env.server'
import { demoUid } from '../account-queries.server'
import { hasTwoFactor } from './authenticator-app.server'
import { twoFactorTexts } from './two-factor-texts'

/**
 * Returns whether the school requires two-step sign-in of this account (`REQUIRE_TWO_FACTOR`). The
 * demo account is exempt, because strangers share it.
 */
export async function isTwoFactorRequired(
  db: Database,
  uid: string,
  rule: typeof env.REQUIRE_TWO_FACTOR = env.REQUIRE_TWO_FACTOR,
): Promise<boolean> {
  if (rule === 'none' || uid === demoUid) {
    return false
  }

  if (rule === 'all') {
    return true
  }

  const [row] = await db.select({ count: count() }).from(staff).where(eq(staff.uid, uid))

  return (row?.count ?? 0) > 0
}

/**
 * Returns whether the account still has to set up the two-step sign-in that the school requires.
 */
export async function shouldSetUpTwoFactor(db: Database, uid: string): Promise<boolean> {
  return (await isTwoFactorRequired(db, uid)) && !(await hasTwoFactor(db, uid))
}

/** The pages that work before the setup. React Router appends `.data` to load a page's data. */
const pagesBeforeSetup = /^\/(Profile\/two-step|Confirm|ConfirmEmail)(\/|\/?_?\.data)?$/i

/**
 * Keeps a learner who still has to set up two-step sign-in on the page that does it.
 *
 * @throws a redirect to that page. A script gets an error instead, so that it keeps what it wanted
 *   to send until a later page.
 */
export async function requireTwoFactorSetup(
  db: Database,
  uid: string,
  { url, headers }: Request,
): Promise<void> {
  const isPageAllowed = pagesBeforeSetup.test(new URL(url).pathname)
  if (isPageAllowed || !(await shouldSetUpTwoFactor(db, uid))) {
    return
  }

  if (headers.get('accept')?.includes('application/json')) {
    throw Response.json(twoFactorTexts.required, { status: 401 })
  }

  throw redirect('/Profile/two-step', 303)
}
