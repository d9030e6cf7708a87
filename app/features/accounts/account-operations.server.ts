import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'
import * as z from 'zod/mini'
import { accountRefusal } from '~/server/http/error-response.server'
import { readJson } from '~/server/http/request-body.server'
import { nameRoute } from '~/server/http/request-trace.server'
import { reportError } from '~/server/operations/log.server'
import { type AccountServiceCode, accountServiceCodes } from './account-errors'
import type { SessionUser } from './account-queries.server'
import { passwordLength } from './account-rules'
import type { AccountService } from './account-service.server'
import { nameField } from './form/form-schemas'
import {
  addPasskey,
  beginPasskey,
  offerPasskeys,
  signInByPasskey,
} from './passkeys/passkeys.server'
import { requestPasswordReset, setNewPassword } from './password/password-reset.server'
import {
  openRequestContext,
  type RequestContext,
  readSession,
  signOut,
} from './session/session.server'
import {
  partOfDocument,
  readUserDocument,
  wholeDocument,
  writeUserDocument,
} from './settings/user-document.server'
import { signIn } from './sign-in/sign-in.server'
import { registerAccount } from './sign-up/registration.server'
import { answerSocialSignIn } from './social/social-sign-in.server'
import { takeSecondStep } from './two-factor/second-step.server'

const email = z.string().check(z.maxLength(1000), z.trim(), z.toLowerCase())
const password = z.string().check(z.maxLength(passwordLength.max))
const name = (field: Parameters<typeof nameField>[0]) => z.pipe(z.string(), nameField(field))
const registration = z.strictObject({
  email,
  password,
  firstName: name('firstName'),
  lastName: name('lastName'),
  rememberMe: z.optional(z.boolean()),
})

/** A passkey's answer, which better-auth checks. */
const browserAnswer = <Answer extends { id: string }>() =>
  z.strictObject({
    response: z.custom<Answer>(
      (value) => typeof (value as Partial<Answer> | null)?.id === 'string',
    ),
  })

/** Null when done, the error code, or the requested data. */
type Outcome = AccountServiceCode | null | { user: SessionUser | null } | { options: object }
type Operation = (
  service: AccountService,
  requestContext: RequestContext,
  request: Request,
  uid: string,
) => Promise<Outcome>

/** Every available operation; nothing else that better-auth offers can be reached. */
const operations: Partial<Record<string, Operation>> = {
  'POST /register': takes(registration, registerAccount),
  'POST /login': takes(
    z.strictObject({ email, password, rememberMe: z.optional(z.boolean()) }),
    signIn,
  ),
  'POST /second-step': takes(
    z.strictObject({ code: z.string().check(z.maxLength(50)) }),
    takeSecondStep,
  ),
  'POST /passkey-offer': takes(z.strictObject({}), offerPasskeys),
  'POST /passkey-sign-in': takes(browserAnswer<AuthenticationResponseJSON>(), signInByPasskey),
  'POST /new-passkey': takes(z.strictObject({}), beginPasskey),
  'POST /passkey': takes(browserAnswer<RegistrationResponseJSON>(), addPasskey),
  'POST /logout': takes(z.strictObject({}), signOut),
  'POST /forgot-password': takes(z.strictObject({ email }), requestPasswordReset),
  'POST /new-password': takes(
    z.strictObject({ token: z.string().check(z.maxLength(200)), password }),
    setNewPassword,
  ),
  'GET /session': readSession,
  'GET /users/UID': (service, requestContext, _request, uid) =>
    readUserDocument(service, requestContext, uid),
  'PUT /users/UID': takes(wholeDocument, writeUserDocument),
  'PATCH /users/UID': takes(partOfDocument, writeUserDocument),
}

/** An operation whose request carries a body of JSON. */
function takes<Schema extends z.core.$ZodType>(
  schema: Schema,
  run: (
    service: AccountService,
    requestContext: RequestContext,
    body: z.output<Schema>,
    uid: string,
  ) => Promise<Outcome>,
): Operation {
  return async (service, requestContext, request, uid) => {
    const isJson = request.headers.get('content-type')?.startsWith('application/json')
    const body = isJson ? await readJson(request).catch(() => undefined) : undefined
    const { data, success } = z.safeParse(schema, body)

    return success ? run(service, requestContext, data, uid) : 'invalid-request'
  }
}

/**
 * Answers one request under /account: in JSON with a success flag, or with a redirect. Never
 * throws.
 */
export async function answerAccountRequest(
  service: AccountService,
  request: Request,
): Promise<Response> {
  try {
    const [section = '', ...ids] = new URL(request.url).pathname
      .replace(/^\/account\//, '')
      .split('/')
    const social = await answerSocialSignIn(service, request, [section, ...ids])
    if (social) {
      return social
    }

    const path = [section, ...ids.map(() => 'UID')].join('/')
    const operation = operations[`${request.method} /${path}`]
    if (operation) {
      nameRoute(`/account/${path}`)
    }

    const requestContext = openRequestContext(request)
    const outcome = operation
      ? await operation(service, requestContext, request, ids.join())
      : 'not-found'

    return answer(outcome, requestContext.cookies)
  } catch (error) {
    reportError(error, { request })
    return answer('internal-error')
  }
}

function answer(outcome: Outcome, headers = new Headers()): Response {
  headers.set('Cache-Control', 'no-store')
  if (typeof outcome !== 'string') {
    return Response.json({ success: true, ...outcome }, { headers })
  }

  if (outcome === 'busy') {
    headers.set('Retry-After', '5')
  }

  return accountRefusal(outcome, accountServiceCodes[outcome], headers)
}
