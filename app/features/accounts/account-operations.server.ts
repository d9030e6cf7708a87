/**
 * The JSON API under /account, which the product's own scripts use. Each operation is listed here;
 * nothing else that better-auth offers can be reached.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'
import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { users } from '~/server/database/schema/index'
import { accountRefusal } from '~/server/http/error-response.server'
import { readJson } from '~/server/http/request-body.server'
import { setRequestRoute } from '~/server/http/request-trace.server'
import { reportError } from '~/server/operations/log.server'
import { type AccountErrorCode, accountErrorStatuses } from './account-errors'
import { type SessionUser, toSessionUser, type UserRow } from './account-queries.server'
import { passwordLength } from './account-rules'
import type { AccountService } from './account-service.server'
import { isSharedDemo } from './demo-account.server'
import { nameField, profileFields } from './form/form-schemas'
import {
  addPasskey,
  signInByPasskey,
  startPasskeyRegistration,
  startPasskeySignIn,
} from './passkeys/passkeys.server'
import { requestPasswordReset, setPasswordByLink } from './password/password-reset.server'
import { createRequestContext, type RequestContext } from './session/request-context.server'
import { findSignedInUser, refreshSignedInUser, signOut } from './session/session.server'
import { signIn } from './sign-in/sign-in.server'
import { registerAccount } from './sign-up/registration.server'
import { handleSocialSignIn } from './social/social-sign-in.server'
import { shouldSetUpTwoFactor } from './two-factor/required-two-factor.server'
import { completeSecondStep } from './two-factor/second-step.server'

/* Lets a learner read and write their own user document through the API. */

const { firstName, phone, location, timezone } = profileFields
/** The fields that a learner may write. In a document, unlike in a form, an empty field is null. */
const writableFields = {
  firstName: z.pipe(z.string(), firstName),
  lastName: z.pipe(z.string(), nameField('lastName', true)),
  phone: z.union([z.null(), z.pipe(z.string(), phone)]),
  location: z.union([z.null(), z.pipe(z.string(), location)]),
  timezone: z.nullable(timezone),
}
const completeDocument = z.strictObject(writableFields)
const partialDocument = z.partial(
  z.strictObject({ ...writableFields, lastLoginAt: z.iso.datetime() }),
)

/** Returns the document, or an error code unless it is the learner's own. */
async function readUserDocument(
  service: AccountService,
  requestContext: RequestContext,
  uid: string,
): Promise<AccountErrorCode | { user: SessionUser }> {
  const user = await findDocumentOwner(service, requestContext, uid)
  return typeof user === 'string' ? user : { user: toSessionUser(user) }
}

/**
 * Writes all or some fields of the learner's own document. The display name is derived from the
 * names.
 *
 * @returns null if the document was written, otherwise an error code
 */
async function writeUserDocument(
  service: AccountService,
  requestContext: RequestContext,
  { lastLoginAt, ...changes }: z.infer<typeof partialDocument>,
  uid: string,
): Promise<AccountErrorCode | null> {
  const user = await findDocumentOwner(service, requestContext, uid)
  if (typeof user === 'string') {
    return user
  }

  const isLastNameRemoved = changes.lastName === '' && user.lastName !== ''
  if (isLastNameRemoved) {
    return 'invalid-request'
  }

  if (isSharedDemo(uid) && Object.keys(changes).length > 0) {
    return 'demo-account'
  }

  const { firstName, lastName } = { ...user, ...changes }
  const now = new Date()
  await service.db
    .update(users)
    .set({
      ...changes,
      // The submitted time is ignored, so that a learner can't report an earlier or later sign-in.
      ...(lastLoginAt && { lastLoginAt: now }),
      name: `${firstName} ${lastName}`.trim(),
      updatedAt: now,
    })
    .where(eq(users.id, uid))

  return null
}

async function findDocumentOwner(
  service: AccountService,
  requestContext: RequestContext,
  uid: string,
): Promise<AccountErrorCode | UserRow> {
  const user = await findSignedInUser(service, requestContext)
  if (!user) {
    return 'not-signed-in'
  }

  if (user.id !== uid || (await shouldSetUpTwoFactor(service.db, uid))) {
    return 'forbidden'
  }

  return user
}

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

/** The requested data, null for a success without data, or an error code. */
type OperationOutcome = AccountErrorCode | null | { user: SessionUser | null } | { options: object }

type Operation = (
  service: AccountService,
  requestContext: RequestContext,
  request: Request,
  uid: string,
) => Promise<OperationOutcome>

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

    // Operations have a uid after their name, or nothing.
    const [name, ...uids] = pathSegments
    const route = [name, ...uids.map(() => 'UID')].join('/')
    const operation = operations[`${request.method} /${route}`]
    if (!operation) {
      return toResponse('not-found')
    }

    setRequestRoute(`/account/${route}`)
    const requestContext = createRequestContext(request)
    const outcome = await operation(service, requestContext, request, uids.join())

    return toResponse(outcome, requestContext.responseCookies)
  } catch (error) {
    reportError(error, { request })
    return toResponse('internal-error')
  }
}

function toResponse(outcome: OperationOutcome, headers = new Headers()): Response {
  headers.set('Cache-Control', 'no-store')
  if (typeof outcome !== 'string') {
    return Response.json({ success: true, ...outcome }, { headers })
  }

  if (outcome === 'busy') {
    headers.set('Retry-After', '5')
  }

  return accountRefusal(outcome, accountErrorStatuses[outcome], headers)
}
