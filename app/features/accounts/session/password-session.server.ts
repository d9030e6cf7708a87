import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { sessions } from '~/server/database/schema/index'
import { log } from '~/server/log.server'
import type { AccountServiceCode } from '../account-codes'
import { newId } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { rememberBrowser } from '../sign-in/known-browser-cookie.server'
import { sessionSeconds } from './auth.server'
import { signOut } from './session.server'
import { findSignedToken, setSessionCookies } from './session-cookies.server'
import type { Visit } from './visit.server'

/**
 * Signs the browser in after its password was checked. The session that it had before ends, so that none is left behind
 * unseen.
 *
 * @returns null, or the refusal if the password was changed or taken away (see `proveOwner`) or the account disabled since
 * it was checked.
 */
export async function beginPasswordSession(
  service: AccountService,
  visit: Visit,
  { uid, hash, rememberMe }: { uid: string; hash: string; rememberMe: boolean },
): Promise<AccountServiceCode | null> {
  const former = await findSignedToken(service, visit.headers)
  if (former) await service.db.delete(sessions).where(eq(sessions.token, former))
  const token = randomBytes(24).toString('base64url')
  const lasts = rememberMe ? sessionSeconds.remembered : sessionSeconds.forgotten
  const session = { uid, hash, token, lasts, browser: visit.headers.get('user-agent') ?? '' }
  if (!(await recordSession(service.db, session))) {
    await signOut(service, visit)
    return 'wrong-password'
  }
  await setSessionCookies(service, visit.cookies, token, rememberMe)
  await rememberBrowser(service, visit, uid, hash)
  return null
}

type NewSession = { uid: string; hash: string; token: string; lasts: number; browser: string }

/** @returns false if the password is another by now, or the account disabled. */
async function recordSession(db: Database, session: NewSession): Promise<boolean> {
  const record = (moment: boolean) => db.execute(sessionStatement(session, moment))
  const recorded = await record(true).catch(async (error) => {
    const withoutMoment = await record(false)
    log.error({ err: error }, 'the time of a sign-in was not written')
    return withoutMoment
  })
  return recorded.rows.length > 0
}

/**
 * Waits for whoever is taking the password away or disabling the account, so that of a sign-in and that act at the same
 * moment one always sees the other. Like everybody it locks the account first.
 *
 * @param moment writes down when the account signed in.
 */
function sessionStatement({ uid, hash, token, lasts, browser }: NewSession, moment: boolean) {
  const login = sql`, login as (update users set last_login_at = now() from kept where id = kept.user_id)`
  return sql`
    with account as (select id from users where id = ${uid} and not banned for no key update),
    kept as (
      select i.user_id from account join identities i on i.user_id = account.id and i.provider_id = 'credential'
      where i.password = ${hash} for share of i)
    ${moment ? login : sql``}
    insert into sessions (id, token, user_id, expires_at, user_agent)
    select ${newId()}, ${token}, user_id, now() + make_interval(secs => ${lasts}), ${browser} from kept
    returning id`
}
