import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { deleteSessionCookie, setSessionCookie } from 'better-auth/cookies'
import * as z from 'zod'
import { queueMail } from '../outbox.server'
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
import { attemptLimits, mailboxOf } from './attempt-limits.server'
import { findCurrentSession } from './current-session.server'
import { demoUid } from './demo-account.server'
import { type KnownBrowsers, knownBrowserSeconds } from './known-browsers.server'
import { consumeMailedToken, findMailedToken, revokeMailedTokens } from './mailed-tokens.server'
import { checkPassword } from './password-check.server'
import { hashPassword, PasswordsBusy } from './passwords.server'
import { nameField } from './profile-fields'
import { isSharedDemo } from './shared-demo.server'

type Context = Parameters<typeof setSessionCookie>[0]

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0'))
const email = text(1000).transform((value) => value.trim().toLowerCase())
const password = text(accountLimits.password)
/** The form's own rule. */
const name = (label: Parameters<typeof nameField>[0]) => z.string().pipe(nameField(label))

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

function register(parts: AccountServiceParts) {
  const { db, attempts, address, addressFactor } = parts
  const body = z.strictObject({
    email,
    password,
    firstName: name('First name'),
    lastName: name('Last name'),
    rememberMe: z.boolean().default(true),
  })
  return createAuthEndpoint('/register', { method: 'POST', body }, async (ctx) => {
    const { email, password, firstName, lastName, rememberMe } = ctx.body
    if (!looksLikeEmail(email)) throw refusal('invalid-email')
    if (password.length < accountLimits.passwordMin) throw refusal('weak-password')
    for (const limit of [attemptLimits.registrationByAddress, attemptLimits.registrationByAddressAndDay])
      if (!(await attempts.take(limit, address(), addressFactor()))) throw refusal('too-many-requests')
    if (await findUserByEmail(db, email)) throw refusal('email-already-in-use')
    const passwordHash = await hashInTurn(password)
    // Registering and deleting again and again fills nobody's mailbox.
    const welcome = await attempts.take(attemptLimits.welcomeByMailbox, mailboxOf(email))
    const user = await recordEmailAccount(db, { email, firstName, lastName, passwordHash, welcome })
    if (!user) throw refusal('email-already-in-use')
    parts.mailQueued()
    await beginPasswordSession(ctx, parts, user, { hash: passwordHash, rememberMe })
    return ctx.json({ success: true })
  })
}

async function hashInTurn(password: string): Promise<string> {
  return hashPassword(password).catch((error) => {
    throw error instanceof PasswordsBusy ? refusal('busy') : error
  })
}

function login(parts: AccountServiceParts) {
  const { db, attempts, knownBrowsers, address, addressFactor } = parts
  const body = z.strictObject({ email, password, rememberMe: z.boolean().default(false) })
  return createAuthEndpoint('/login', { method: 'POST', body }, async (ctx) => {
    const { email, password, rememberMe } = ctx.body
    if (!looksLikeEmail(email)) throw refusal('invalid-email')
    const user = await findUserByEmail(db, email)
    if (!user) {
      const within = await attempts.take(attemptLimits.passwordByAddress, address(), addressFactor())
      throw refusal(within ? 'user-not-found' : 'too-many-requests')
    }
    const hash = await findPasswordHash(db, user.id)
    const browser = hash && knownBrowsers.find(ctx.getCookie(knownBrowserCookie(ctx).name), user.id, hash)
    const counted = browser
      ? { limit: attemptLimits.passwordByBrowser, subject: `${user.id} ${browser}`, byAddress: false }
      : { limit: attemptLimits.passwordByAccount, subject: user.id, byAddress: true }
    const refused = await checkPassword(parts, { uid: user.id, hash }, password, counted)
    if (refused || !hash) throw refusal(refused ?? 'wrong-password')
    if (user.banned) throw refusal('user-disabled')
    if (!(await attempts.take(attemptLimits.signInByAccount, `${user.id} ${address()}`, addressFactor())))
      throw refusal('too-many-requests')
    await beginPasswordSession(ctx, parts, user, { hash, rememberMe: rememberMe && !isSharedDemo(user.id) })
    return ctx.json({ success: true })
  })
}

/** As long-lived as the browser is known, for the account service alone. */
function knownBrowserCookie(ctx: Context) {
  return ctx.context.createAuthCookie('known_browser', { maxAge: knownBrowserSeconds })
}

function rememberBrowser(ctx: Context, knownBrowsers: KnownBrowsers, uid: string, hash: string) {
  const { name, attributes } = knownBrowserCookie(ctx)
  ctx.setCookie(name, knownBrowsers.remember(ctx.getCookie(name), uid, hash), attributes)
}

type CheckedPassword = { hash: string; rememberMe: boolean }

/**
 * The session that this browser had before ends with it, so that none is left behind unseen.
 *
 * @throws a refusal if the password was changed or taken away (see `proveOwner`) since it was checked.
 */
async function beginPasswordSession(
  ctx: Context,
  { db, knownBrowsers }: AccountServiceParts,
  user: UserRow,
  { hash, rememberMe }: CheckedPassword,
) {
  const { sessionToken, dontRememberToken } = ctx.context.authCookies
  const former = await ctx.getSignedCookie(sessionToken.name, ctx.context.secret)
  if (former) await ctx.context.internalAdapter.deleteSession(former)
  const session = await ctx.context.internalAdapter.createSession(user.id, !rememberMe)
  await setSessionCookie(ctx, { session, user }, !rememberMe)
  if (rememberMe) ctx.setCookie(dontRememberToken.name, '', { ...dontRememberToken.attributes, maxAge: 0 })
  if (await isPasswordStill(db, user.id, hash)) return rememberBrowser(ctx, knownBrowsers, user.id, hash)
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
    const session = await findCurrentSession(ctx)
    const user = session && (await findUser(db, session.user.id))
    return ctx.json({ success: true, user: user && !user.banned ? sessionUser(user) : null })
  })
}

function requestReset({ db, attempts, mailQueued, address, addressFactor }: AccountServiceParts) {
  const body = z.strictObject({ email })
  return createAuthEndpoint('/forgot-password', { method: 'POST', body }, async (ctx) => {
    const { email } = ctx.body
    if (!looksLikeEmail(email)) throw refusal('invalid-email')
    if (!(await attempts.take(attemptLimits.resetByAddress, address(), addressFactor())))
      throw refusal('too-many-requests')
    const user = await findUserByEmail(db, email)
    if (!user) throw refusal('user-not-found')
    if (user.banned) throw refusal('user-disabled')
    // Nobody reads the demo account's mail.
    if (isSharedDemo(user.id)) throw refusal('demo-account')
    if (!(await attempts.take(attemptLimits.resetByAccount, user.id))) throw refusal('too-many-requests')
    await queueMail(db, user.id, 'reset')
    mailQueued()
    return ctx.json({ success: true })
  })
}

function setPassword({ db, attempts, knownBrowsers }: AccountServiceParts) {
  const body = z.strictObject({ token: text(200), password })
  return createAuthEndpoint('/new-password', { method: 'POST', body }, async (ctx) => {
    const { token, password } = ctx.body
    if (password.length < accountLimits.passwordMin) throw refusal('weak-password')
    const uid = await findMailedToken(db, 'reset-password', token)
    const user = uid ? await findUser(db, uid) : null
    if (!user) throw refusal('link-expired')
    if (user.id === demoUid) throw refusal('demo-account')
    if (user.banned) throw refusal('user-disabled')
    const hash = await hashInTurn(password)
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
    // Whoever reads the account's mail is let in, however many strangers go on guessing.
    rememberBrowser(ctx, knownBrowsers, user.id, hash)
    deleteSessionCookie(ctx)
    return ctx.json({ success: true })
  })
}
