import { count, eq } from 'drizzle-orm'
import { redirect } from 'react-router'
import type { Database } from '~/server/database/client.server'
import { staff } from '~/server/database/schema/index'
import { env } from '~/server/env.server'
import { demoUid } from '../account-queries.server'
import { hasSecondStep } from './authenticator-app.server'
import { twoFactorTexts } from './two-factor-messages'

/**
 * Whether the site asks this account for two-step sign-in (`REQUIRE_TWO_FACTOR`). Strangers share
 * the demo account.
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

/** Whether the account first has to set up two-step sign-in. */
export async function lacksRequiredTwoFactor(db: Database, uid: string): Promise<boolean> {
  return (await isTwoFactorRequired(db, uid)) && !(await hasSecondStep(db, uid))
}

/**
 * The addresses that work before it is set up. React Router appends `.data` to load a page's data.
 */
const open = /^\/(Profile\/two-step|Confirm|ConfirmEmail)(\/|\/?_?\.data)?$/i

/**
 * Someone who isn't prepared is let in, but gets no further than to the page that sets it up.
 *
 * @throws a redirect to that page. What a script sends gets a refusal instead: it waits in the
 * browser until a later page.
 */
export async function demandRequiredTwoFactor(
  db: Database,
  uid: string,
  { url, headers }: Request,
): Promise<void> {
  if (open.test(new URL(url).pathname) || !(await lacksRequiredTwoFactor(db, uid))) {
    return
  }

  if (headers.get('accept')?.includes('application/json')) {
    throw Response.json(twoFactorTexts.required, { status: 401 })
  }

  throw redirect('/Profile/two-step', 303)
}
