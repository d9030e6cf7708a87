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
import { demoUid } from '../account-queries.server'
import { type AccountService, accountErrorResponse } from '../account-service.server'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { listPasskeys, worksAtHost } from '../passkeys/passkeys.server'
import { endOtherDevices } from '../security/devices.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailSecurityChange } from '../security/security-mails.server'
import {
  copyCookies,
  createRequestContext,
  findSession,
  getUserAgent,
  type RequestContext,
} from '../session/session.server'
import { isSignInMethodAllowed, listRequiredProviders } from '../social/allowed-sign-in-methods'
import { toProviderName } from '../social/social-providers.server'
import { longestPasskeyName, signInMethodNotices } from './sign-in-method-messages'

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
    hasPassword: hasIdentity('credential'),
    providers: providers.map((provider) => ({
      ...toProviderName(provider),
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
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(longestPasskeyName)),
  }),
])

type Session = { id: string; userId: string }

/** A sign-in method of an account: `credential` (the password) or a provider's ID, or a passkey. */
type SignInMethod = { identity: string } | { passkey: string }

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
    await service.db
      .update(passkeys)
      .set({ name: data.name })
      .where(and(eq(passkeys.id, data.id), eq(passkeys.userId, session.userId)))
    return successResponse<AccountFormSuccess>({ notice: signInMethodNotices.renamed })
  }

  const method = data.intent === 'remove' ? { identity: data.way } : { passkey: data.id }
  const isRemoved = await removeSignInMethod(service, session, method, {
    shouldEndOthers: data.endOthers === 'on',
    userAgent: getUserAgent(requestContext),
  })
  if (!isRemoved) {
    return errorResponse(signInMethodNotices.last, { status: 409 })
  }

  return successResponse<AccountFormSuccess>({ notice: signInMethodNotices.removed })
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
    const hasOtherMethod = usableMethods.some((one) => !isSameMethod(one, method))
    if (!hasOtherMethod || !(await deleteMethod(tx, uid, method))) {
      return false
    }

    if ('passkey' in method) {
      await recordSecurityEvent(tx, uid, { kind: 'passkey-removed', userAgent })
      await mailSecurityChange(tx, uid, 'passkey-removed')
    } else {
      const way = method.identity === 'credential' ? 'password' : method.identity
      await recordSecurityEvent(tx, uid, { kind: 'sign-in-method-removed', way, userAgent })
      await mailSecurityChange(tx, uid, 'way-removed')
    }

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

/** @returns whether the account had the method */
async function deleteMethod(tx: Transaction, uid: string, method: SignInMethod): Promise<boolean> {
  if ('passkey' in method) {
    const deleted = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.userId, uid), eq(passkeys.id, method.passkey)))
      .returning({ id: passkeys.id })
    return deleted.length > 0
  }

  const deleted = await tx
    .delete(identities)
    .where(and(eq(identities.userId, uid), eq(identities.providerId, method.identity)))
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
  const usableIdentities = new Set<string>(providers.map(({ id }) => id).filter(isAllowed))
  if (isAllowed('password')) {
    usableIdentities.add('credential')
  }

  const identityRows = await tx
    .select({ identity: identities.providerId })
    .from(identities)
    .where(eq(identities.userId, uid))
  const passkeyRows = isAllowed('passkey')
    ? await tx
        .select({ passkey: passkeys.id })
        .from(passkeys)
        .where(and(eq(passkeys.userId, uid), worksAtHost(publicUrl)))
    : []

  return [...identityRows.filter(({ identity }) => usableIdentities.has(identity)), ...passkeyRows]
}

function isSameMethod(one: SignInMethod, other: SignInMethod): boolean {
  if ('identity' in one) {
    return 'identity' in other && one.identity === other.identity
  }

  return 'passkey' in other && one.passkey === other.passkey
}
