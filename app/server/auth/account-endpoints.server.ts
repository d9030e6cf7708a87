import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint, getSessionFromCtx } from 'better-auth/api'
import { deleteSessionCookie, setSessionCookie } from 'better-auth/cookies'
import * as z from 'zod'
import type { Database } from '../database/client.server'
import { log } from '../log.server'
import { type AccountServiceCode, accountLimits, accountServiceCodes, looksLikeEmail } from './account-codes'
import {
  endSessions,
  findPasswordHash,
  findUser,
  findUserByEmail,
  isPasswordStill,
  recordEmailAccount,
  recordPassword,
  sessionUser,
  type UserRow,
} from './account-queries.server'
import type { AccountServiceParts } from './account-service-parts.server'
import { proveOwner } from './address-proof.server'
import { attemptLimits } from './attempt-limits.server'
import { demoUid } from './demo-account.server'
import { consumeMailedToken, createMailedToken, findMailedToken, revokeMailedTokens } from './mailed-tokens.server'
import { hashPassword, verifyPassword } from './passwords.server'

type Context = Parameters<typeof setSessionCookie>[0]

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0'))
const email = text(1000).transform((value) => value.trim().toLowerCase())
const password = text(accountLimits.password)
const name = text(1000)
  .transform((value) => value.trim())
  .pipe(z.string().min(1).max(accountLimits.name))

/** An expected refusal: the response has the code's status and carries the code. */
export function refusal(code: AccountServiceCode): APIError {
  return new APIError(accountServiceCodes[code], { success: false, code })
}

/** Register, sign in, sign out, session, and what the mails' links do; all in terms of the service's own codes. */
export function accountEndpoints(parts: AccountServiceParts): BetterAuthPlugin {
  return {
    id: 'learnify-accounts',
    endpoints: {
      registerLearner: register(parts),
      loginLearner: login(parts),
      logoutLearner: logout(),
      requestReset: requestReset(parts),
      setNewPassword: setPassword(parts),
      readSession: readSession(parts),
    },
  }
}

function register({ db, attempts, mails, address, addressFactor }: AccountServiceParts) {
  const body = z.strictObject({
    email,
    password,
    firstName: name,
    lastName: name,
    rememberMe: z.boolean().default(true),
  })
  return createAuthEndpoint('/register', { method: 'POST', body }, async (ctx) => {
    const { email, password, firstName, lastName, rememberMe } = ctx.body
    if (!looksLikeEmail(email)) throw refusal('invalid-email')
    if (password.length < accountLimits.passwordMin) throw refusal('weak-password')
    if (!(await attempts.take(attemptLimits.registrationByAddress, address(), addressFactor())))
      throw refusal('too-many-requests')
    if (await findUserByEmail(db, email)) throw refusal('email-already-in-use')
    const passwordHash = await hashPassword(password)
    const user = await recordEmailAccount(db, { email, firstName, lastName, passwordHash })
    if (!user) throw refusal('email-already-in-use')
    await beginPasswordSession(ctx, db, user, { hash: passwordHash, rememberMe })
    const token = await createMailedToken(db, 'verify-email', user.id)
    mails.sendWelcome(user, token).catch((error) => log.error({ err: error }, 'the welcome mail was not sent'))
    return ctx.json({ success: true })
  })
}

function login({ db, attempts, turnstile, address, addressFactor }: AccountServiceParts) {
  const body = z.strictObject({ email, password, rememberMe: z.boolean().default(false) })
  return createAuthEndpoint('/login', { method: 'POST', body }, async (ctx) => {
    const { email, password, rememberMe } = ctx.body
    if (!looksLikeEmail(email)) throw refusal('invalid-email')
    if (!(await attempts.take(attemptLimits.passwordByAddress, address(), addressFactor())))
      throw refusal('too-many-requests')
    const user = await findUserByEmail(db, email)
    if (!user) throw refusal('user-not-found')

    const hash = await turnstile.pass(user.id, async () => {
      const within = await attempts.take(attemptLimits.passwordByAccount, user.id)
      // The demo account's password is everybody's: wrong ones must not lock out whoever types the right one.
      if (!within && user.id !== demoUid) throw refusal('too-many-requests')
      const hash = await findPasswordHash(db, user.id)
      if (!hash || !(await verifyPassword(password, hash)))
        throw refusal(within ? 'wrong-password' : 'too-many-requests')
      await attempts.clear(attemptLimits.passwordByAccount, user.id)
      return hash
    })
    if (!hash) throw refusal('too-many-requests')
    await attempts.giveBack(attemptLimits.passwordByAddress, address())
    if (user.banned) throw refusal('user-disabled')

    await beginPasswordSession(ctx, db, user, { hash, rememberMe })
    return ctx.json({ success: true })
  })
}

type CheckedPassword = { hash: string; rememberMe: boolean }

/**
 * The session that this browser had before ends with it, so that none is left behind unseen.
 *
 * @throws a refusal if the password was changed or taken away (see `proveOwner`) since it was checked.
 */
async function beginPasswordSession(ctx: Context, db: Database, user: UserRow, { hash, rememberMe }: CheckedPassword) {
  const { sessionToken, dontRememberToken } = ctx.context.authCookies
  const former = await ctx.getSignedCookie(sessionToken.name, ctx.context.secret)
  if (former) await ctx.context.internalAdapter.deleteSession(former)
  const session = await ctx.context.internalAdapter.createSession(user.id, !rememberMe)
  await setSessionCookie(ctx, { session, user }, !rememberMe)
  if (rememberMe) ctx.setCookie(dontRememberToken.name, '', { ...dontRememberToken.attributes, maxAge: 0 })
  if (await isPasswordStill(db, user.id, hash)) return
  await ctx.context.internalAdapter.deleteSession(session.token)
  deleteSessionCookie(ctx)
  throw refusal('wrong-password')
}

function logout() {
  const body = z.strictObject({}).optional()
  return createAuthEndpoint('/logout', { method: 'POST', body, requireHeaders: true }, async (ctx) => {
    const token = await ctx.getSignedCookie(ctx.context.authCookies.sessionToken.name, ctx.context.secret)
    if (token) await ctx.context.internalAdapter.deleteSession(token)
    deleteSessionCookie(ctx)
    return ctx.json({ success: true })
  })
}

function readSession({ db }: AccountServiceParts) {
  return createAuthEndpoint('/session', { method: 'GET', requireHeaders: true }, async (ctx) => {
    const session = await getSessionFromCtx(ctx)
    const user = session && (await findUser(db, session.user.id))
    return ctx.json({ success: true, user: user && !user.banned ? sessionUser(user) : null })
  })
}

function requestReset({ db, attempts, mails, address, addressFactor }: AccountServiceParts) {
  const body = z.strictObject({ email })
  return createAuthEndpoint('/forgot-password', { method: 'POST', body }, async (ctx) => {
    const { email } = ctx.body
    if (!looksLikeEmail(email)) throw refusal('invalid-email')
    if (!(await attempts.take(attemptLimits.resetByAddress, address(), addressFactor())))
      throw refusal('too-many-requests')
    const user = await findUserByEmail(db, email)
    if (!user) throw refusal('user-not-found')
    if (user.banned) throw refusal('user-disabled')
    if (!(await attempts.take(attemptLimits.resetByAccount, user.id))) throw refusal('too-many-requests')
    await mails.sendReset(user, await createMailedToken(db, 'reset-password', user.id))
    return ctx.json({ success: true })
  })
}

function setPassword({ db, attempts }: AccountServiceParts) {
  const body = z.strictObject({ token: text(200), password })
  return createAuthEndpoint('/new-password', { method: 'POST', body }, async (ctx) => {
    const { token, password } = ctx.body
    if (password.length < accountLimits.passwordMin) throw refusal('weak-password')
    const uid = await findMailedToken(db, 'reset-password', token)
    const user = uid ? await findUser(db, uid) : null
    if (!user) throw refusal('link-expired')
    if (user.id === demoUid) throw refusal('demo-account')
    if (user.banned) throw refusal('user-disabled')
    const hash = await hashPassword(password)
    const changed = await db.transaction(async (tx) => {
      if (!(await consumeMailedToken(tx, 'reset-password', token))) return false
      await recordPassword(tx, user.id, hash)
      await proveOwner(tx, user.id)
      await endSessions(tx, user.id)
      await revokeMailedTokens(tx, user.id)
      return true
    })
    if (!changed) throw refusal('link-expired')
    await attempts.clear(attemptLimits.passwordByAccount, user.id)
    deleteSessionCookie(ctx)
    return ctx.json({ success: true })
  })
}
