/**
 * The JSON API under /account, which the product's own scripts use. Each operation is listed here;
 * nothing else that better-auth offers can be reached.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'
import * as z from 'zod/mini'
import { accountErrorResponse } from '~/server/http/error-response.server'
import { readJson } from '~/server/http/request-body.server'
import { setRequestRoute } from '~/server/http/request-trace.server'
import { reportError } from '~/server/operations/log.server'
import { type AccountErrorCode, accountErrorStatuses } from './account-errors'
import { passwordLength } from './account-rules'
import type { AccountService } from './account-service.server'
import { nameField } from './form/form-schemas'
import {
  addPasskey,
  signInByPasskey,
  startPasskeyRegistration,
  startPasskeySignIn,
} from './passkeys/passkeys.server'
import { requestPasswordReset, setPasswordByLink } from './password/password-reset.server'
import { createRequestContext, type RequestContext } from './session/request-context.server'
import { refreshSignedInUser, signOut } from './session/session.server'
import type { SessionUser } from './session/session-user.server'
import { signIn } from './sign-in/sign-in.server'
import { registerAccount } from './sign-up/registration.server'
import { handleSocialSignIn } from './social/social-sign-in.server'
import { completeSecondStep } from './two-factor/second-step.server'
import {
  completeDocument,
  partialDocument,
  readUserDocument,
  writeUserDocument,
} from './user-document.server'

/**
 * Handles a request under /account. The response is JSON with a success flag, or a redirect. It
 * never throws.
 */
export async function handleAccountRequest(
  service: AccountService,
  request: Request,
): Promise<Response> {
  try {
    const pathSegments = new URL(request.url).pathname.replace(/^\/account\//, '').split('/')
    const socialResponse = await handleSocialSignIn(service, request, pathSegments)
    if (socialResponse) {
      return socialResponse
    }

    const { route, uid } = parseRoute(pathSegments)
    const operation = operations[`${request.method} /${route}`]
    if (!operation) {
      return toResponse('not-found')
    }

    setRequestRoute(`/account/${route}`)
    const requestContext = createRequestContext(request)
    const outcome = await operation(service, requestContext, request, uid)

    return toResponse(outcome, requestContext.responseCookies)
  } catch (error) {
    reportError(error, { request })
    return toResponse('internal-error')
  }
}

/**
 * Returns the route of an operation, and the uid in the path. The route has `UID` in the place of
 * the uid. Most operations have no uid in their path; it is empty then.
 */
function parseRoute(pathSegments: readonly string[]): { route: string; uid: string } {
  const [name = '', uid, ...furtherSegments] = pathSegments
  if (uid === undefined || furtherSegments.length > 0) {
    return { route: pathSegments.join('/'), uid: '' }
  }

  return { route: `${name}/UID`, uid }
}

/**
 * What an operation returns: the requested data, null for a success without data, or an error code.
 */
type OperationOutcome = AccountErrorCode | null | { user: SessionUser | null } | { options: object }

type Operation = (
  service: AccountService,
  requestContext: RequestContext,
  request: Request,
  uid: string,
) => Promise<OperationOutcome>

const emailField = z.string().check(z.maxLength(1000), z.trim(), z.toLowerCase())
const passwordField = z.string().check(z.maxLength(passwordLength.max))
const registration = z.strictObject({
  email: emailField,
  password: passwordField,
  firstName: z.pipe(z.string(), nameField('firstName')),
  lastName: z.pipe(z.string(), nameField('lastName')),
  rememberMe: z.optional(z.boolean()),
})

/** The browser's response with a passkey. better-auth checks its content. */
const passkeyResponse = <Response extends { id: string }>() =>
  z.strictObject({
    response: z.custom<Response>(
      (value) => typeof (value as Partial<Response> | null)?.id === 'string',
    ),
  })

const operations: Partial<Record<string, Operation>> = {
  'POST /register': withBody(registration, registerAccount),
  'POST /login': withBody(
    z.strictObject({
      email: emailField,
      password: passwordField,
      rememberMe: z.optional(z.boolean()),
    }),
    signIn,
  ),
  'POST /second-step': withBody(
    z.strictObject({ code: z.string().check(z.maxLength(50)) }),
    completeSecondStep,
  ),
  'POST /passkey-offer': withBody(z.strictObject({}), startPasskeySignIn),
  'POST /passkey-sign-in': withBody(passkeyResponse<AuthenticationResponseJSON>(), signInByPasskey),
  'POST /new-passkey': withBody(z.strictObject({}), startPasskeyRegistration),
  'POST /passkey': withBody(passkeyResponse<RegistrationResponseJSON>(), addPasskey),
  'POST /logout': withBody(z.strictObject({}), signOut),
  'POST /forgot-password': withBody(z.strictObject({ email: emailField }), requestPasswordReset),
  'POST /new-password': withBody(
    z.strictObject({ token: z.string().check(z.maxLength(200)), password: passwordField }),
    async (service, requestContext, newPassword) => {
      const outcome = await setPasswordByLink(service, requestContext, newPassword)
      return 'error' in outcome ? outcome.error : null
    },
  ),
  'GET /session': refreshSignedInUser,
  'GET /users/UID': (service, requestContext, _request, uid) =>
    readUserDocument(service, requestContext, uid),
  'PUT /users/UID': withBody(completeDocument, writeUserDocument),
  'PATCH /users/UID': withBody(partialDocument, writeUserDocument),
}

/** Returns an operation whose request has a JSON body. */
function withBody<Schema extends z.core.$ZodType>(
  schema: Schema,
  run: (
    service: AccountService,
    requestContext: RequestContext,
    body: z.output<Schema>,
    uid: string,
  ) => Promise<OperationOutcome>,
): Operation {
  return async (service, requestContext, request, uid) => {
    const isJson = request.headers.get('content-type')?.startsWith('application/json')
    const body = isJson ? await readJson(request).catch(() => undefined) : undefined
    const { data, success } = z.safeParse(schema, body)

    return success ? run(service, requestContext, data, uid) : 'invalid-request'
  }
}

/** Returns the response with a success flag, and the data or the error of the operation. */
function toResponse(outcome: OperationOutcome, headers = new Headers()): Response {
  headers.set('Cache-Control', 'no-store')
  if (typeof outcome !== 'string') {
    return Response.json({ success: true, ...outcome }, { headers })
  }

  if (outcome === 'busy') {
    headers.set('Retry-After', '5')
  }

  return accountErrorResponse(outcome, accountErrorStatuses[outcome], headers)
}
