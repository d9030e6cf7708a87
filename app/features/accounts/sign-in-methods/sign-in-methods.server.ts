/**
 * The server side of the page 'Ways to sign in', which lists, adds, renames and removes sign-in
 * methods.
 */
import { eq } from 'drizzle-orm'
import { redirectDocument } from 'react-router'
import * as z from 'zod/mini'
import { identities } from '~/server/database/schema/index'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { demoUid } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { accountErrorResponse } from '../form/account-error-response.server'
import { maxPasskeyNameLength, signInMethodNotices } from '../form/form-messages'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { listPasskeys, namePasskey } from '../passkeys/passkey-queries.server'
import { passwordProviderId } from '../password/password-queries.server'
import {
  copyCookies,
  createRequestContext,
  getUserAgent,
  type RequestContext,
} from '../session/request-context.server'
import { findSession } from '../session/session.server'
import { listRequiredProviders } from '../social/allowed-sign-in-methods'
import { toSignInProvider } from '../social/social-providers.server'
import { removeSignInMethod } from './sign-in-method-removal.server'

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
    // The password is stored as an identity, too.
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

/** The field `way` has the ID of a provider or, for the password, `passwordProviderId`. */
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
  const outcome = await removeSignInMethod(service, session, method, {
    shouldEndOthers: data.endOthers === 'on',
    userAgent: getUserAgent(requestContext),
  })
  if (outcome === 'last-method') {
    return errorResponse(signInMethodNotices.lastMethod, { status: 409 })
  }

  // The passkey may be another account's. A password or provider can only have been removed before.
  if (outcome === 'not-found' && data.intent === 'remove-passkey') {
    return accountErrorResponse('not-found')
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
 * Redirects to a provider's page. When the learner returns, the provider's identity is added to
 * this account, whatever its email is.
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
