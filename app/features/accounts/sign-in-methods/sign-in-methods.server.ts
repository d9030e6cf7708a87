/**
 * The page 'Ways to sign in': adds, renames and removes sign-in methods.
 *
 * The last method that works for an account can't be removed. better-auth's `unlinkAccount` breaks
 * this promise: it counts identities only, including those of providers that are no longer offered
 * or not allowed, ignores passkeys, and lets two parallel requests remove the last two.
 */
import { and, eq } from 'drizzle-orm'
import { redirectDocument } from 'react-router'
import * as z from 'zod/mini'
import type { Transaction } from '~/server/database/client.server'
import { identities, passkeys, users } from '~/server/database/schema/index'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { demoUid, passwordProviderId } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { accountErrorResponse } from '../form/account-error-response.server'
import { maxPasskeyNameLength, signInMethodNotices } from '../form/form-messages'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { listPasskeys, namePasskey, worksAtHost } from '../passkeys/passkey-queries.server'
import { endOtherDevices } from '../security/devices.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailSecurityChange } from '../security/security-mails.server'
import {
  copyCookies,
  createRequestContext,
  getUserAgent,
  type RequestContext,
} from '../session/request-context.server'
import { findSession } from '../session/session.server'
import { isSignInMethodAllowed, listRequiredProviders } from '../social/allowed-sign-in-methods'
import { toSignInProvider } from '../social/social-providers.server'

/** Returns the sign-in methods that an account has, and those that it can add. */
export async function readSignInMethods(
  service: AccountService,
  { uid, email }: { uid: string; email: string },
) {
  const { db, providers, publicUrl } = service
  const rows = await db
    .select({ providerId: identities.providerId })
    .from(identities)
    .where(eq(identities.userId, uid))
  const hasIdentity = (id: string) => rows.some(({ providerId }) => providerId === id)

  return {
    hasPassword: hasIdentity(passwordProviderId),
    providers: providers.map((provider) => ({
      ...toSignInProvider(provider),
      isAdded: hasIdentity(provider.id),
    })),
    /** The names of the only providers that this email may use; empty if it may use any method. */
    requiredProviders: listRequiredProviders(providers, email).map(({ name }) => name),
    passkeys: await listPasskeys(service, uid),
    host: new URL(publicUrl).hostname,
  }
}

export type SignInMethods = Awaited<ReturnType<typeof readSignInMethods>>

const idField = z.string().check(z.minLength(1), z.maxLength(200))
const endOthersField = z.optional(z.literal('on'))
const signInMethodForm = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('add'), way: idField }),
  z.object({ intent: z.literal('remove'), way: idField, endOthers: endOthersField }),
  z.object({ intent: z.literal('remove-passkey'), id: idField, endOthers: endOthersField }),
  z.object({
    intent: z.literal('rename-passkey'),
    id: idField,
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(maxPasskeyNameLength)),
  }),
])

type Session = { id: string; userId: string }

/** A sign-in method of an account: the password (`credential`) or a provider, or a passkey. */
type SignInMethod = { providerId: string } | { passkeyId: string }

/** Runs the page's route action. The route has already required a recent sign-in. */
export async function handleSignInMethodForm(
  service: AccountService,
  request: Request,
  form: FormData,
) {
  const { data } = checkForm(signInMethodForm, form)
  if (!data) {
    return accountErrorResponse('invalid-request')
  }

  const requestContext = createRequestContext(request)
  const session = await findSession(service, requestContext)
  if (!session) {
    return accountErrorResponse('not-signed-in')
  }

  if (session.userId === demoUid) {
    return accountErrorResponse('demo-account')
  }

  if (data.intent === 'add') {
    return redirectToProvider(service, requestContext, data.way)
  }

  if (data.intent === 'rename-passkey') {
    return renamePasskey(service, { uid: session.userId, passkeyId: data.id, name: data.name })
  }

  const method = data.intent === 'remove' ? { providerId: data.way } : { passkeyId: data.id }
  const isRemoved = await removeSignInMethod(service, session, method, {
    shouldEndOthers: data.endOthers === 'on',
    userAgent: getUserAgent(requestContext),
  })
  if (!isRemoved) {
    return errorResponse(signInMethodNotices.lastMethod, { status: 409 })
  }

  return successResponse<AccountFormSuccess>({ notice: signInMethodNotices.removed })
}

async function renamePasskey(
  service: AccountService,
  passkey: { uid: string; passkeyId: string; name: string },
) {
  const name = await namePasskey(service.db, passkey)
  if (name === null) {
    return accountErrorResponse('invalid-request')
  }

  return successResponse<AccountFormSuccess>({ notice: signInMethodNotices.renamed(name) })
}

/**
 * Redirects to a provider's page. When the learner returns, the provider's identity is added to this
 * account, whatever its email is.
 */
async function redirectToProvider(
  service: AccountService,
  requestContext: RequestContext,
  providerId: string,
) {
  const provider = service.providers.find(({ id }) => id === providerId)
  if (!provider) {
    return accountErrorResponse('invalid-request')
  }

  const auth = await service.providerAuths.get(provider)
  if (!auth) {
    return accountErrorResponse('provider-away')
  }

  const { headers, response } = await auth.api.linkSocialAccount({
    body: {
      provider: providerId,
      callbackURL: '/Profile/sign-in',
      errorCallbackURL: '/Profile/sign-in',
      disableRedirect: true,
      additionalData: { providerId },
    },
    headers: requestContext.headers,
    returnHeaders: true,
  })
  const redirection = redirectDocument(response.url, { status: 303 })
  copyCookies(headers, redirection.headers)

  return redirection
}

type RemovalOptions = { shouldEndOthers: boolean; userAgent: string }

/**
 * Removes a sign-in method together with its entry in the security log and its email, in one
 * transaction.
 *
 * @returns false if the account does not have this method, or no other one that works
 */
async function removeSignInMethod(
  service: AccountService,
  session: Session,
  method: SignInMethod,
  { shouldEndOthers, userAgent }: RemovalOptions,
): Promise<boolean> {
  const uid = session.userId
  const isRemoved = await service.db.transaction(async (tx) => {
    // The lock keeps two removals at the same time from removing the last two methods.
    const [user] = await tx
      .select({ email: users.email })
      .from(users)
      .where(eq(users.id, uid))
      .for('update')
    if (!user) {
      return false
    }

    const usableMethods = await listUsableMethods(tx, service, { uid, email: user.email })
    const hasOtherMethod = usableMethods.some((usableMethod) => !isSameMethod(usableMethod, method))
    if (!hasOtherMethod || !(await deleteMethod(tx, uid, method))) {
      return false
    }

    await recordRemoval(tx, uid, method, userAgent)
    if (shouldEndOthers) {
      await endOtherDevices(tx, uid, session.id)
    }

    return true
  })

  if (isRemoved) {
    service.wakeEmailSender()
  }

  return isRemoved
}

/** Tells the account's owner, in the security log and by email. */
async function recordRemoval(
  tx: Transaction,
  uid: string,
  method: SignInMethod,
  userAgent: string,
): Promise<void> {
  if ('passkeyId' in method) {
    await recordSecurityEvent(tx, uid, { kind: 'passkey-removed', userAgent })
    await mailSecurityChange(tx, uid, 'passkey-removed')
    return
  }

  const signInMethod = method.providerId === passwordProviderId ? 'password' : method.providerId
  await recordSecurityEvent(tx, uid, { kind: 'sign-in-method-removed', signInMethod, userAgent })
  await mailSecurityChange(tx, uid, 'way-removed')
}

/** @returns whether the account had the method */
async function deleteMethod(tx: Transaction, uid: string, method: SignInMethod): Promise<boolean> {
  if ('passkeyId' in method) {
    const deleted = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.userId, uid), eq(passkeys.id, method.passkeyId)))
      .returning({ id: passkeys.id })
    return deleted.length > 0
  }

  const deleted = await tx
    .delete(identities)
    .where(and(eq(identities.userId, uid), eq(identities.providerId, method.providerId)))
    .returning({ id: identities.id })
  return deleted.length > 0
}

/**
 * Returns the sign-in methods that work at present. It leaves out providers that are not configured,
 * methods that the organization does not allow, and passkeys of an earlier host name.
 */
async function listUsableMethods(
  tx: Transaction,
  { providers, publicUrl }: AccountService,
  { uid, email }: { uid: string; email: string },
): Promise<SignInMethod[]> {
  const isAllowed = (signInMethod: string) => isSignInMethodAllowed(providers, email, signInMethod)
  const usableProviderIds = new Set<string>(providers.map(({ id }) => id).filter(isAllowed))
  if (isAllowed('password')) {
    usableProviderIds.add(passwordProviderId)
  }

  const identityMethods = await tx
    .select({ providerId: identities.providerId })
    .from(identities)
    .where(eq(identities.userId, uid))
  const usableMethods: SignInMethod[] = identityMethods.filter(({ providerId }) =>
    usableProviderIds.has(providerId),
  )
  if (!isAllowed('passkey')) {
    return usableMethods
  }

  const passkeyMethods = await tx
    .select({ passkeyId: passkeys.id })
    .from(passkeys)
    .where(and(eq(passkeys.userId, uid), worksAtHost(publicUrl)))

  return [...usableMethods, ...passkeyMethods]
}

function isSameMethod(first: SignInMethod, second: SignInMethod): boolean {
  if ('providerId' in first) {
    return 'providerId' in second && first.providerId === second.providerId
  }

  return 'passkeyId' in second && first.passkeyId === second.passkeyId
}
