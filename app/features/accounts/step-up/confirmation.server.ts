/**
 * The page 'Confirm it's you': a signed-in learner proves their identity once more, before an
 * action that needs a recent sign-in.
 *
 * This file checks the proofs that are entered into a form: the password, a code of the
 * authenticator app, or a code that was emailed. Passkeys and providers confirm by signing in
 * again.
 */
import { eq } from 'drizzle-orm'
import { identities } from '~/server/database/schema/index'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { queueMail } from '~/server/mail/outbox.server'
import { type AccountErrorCode, accountErrorMessage } from '../account-errors'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { accountErrorResponse } from '../form/account-error-response.server'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { hasPasskey } from '../passkeys/passkey-queries.server'
import { checkPassword, createOwnerPasswordLimits } from '../password/password-check.server'
import { findPasswordHash, passwordProviderId } from '../password/password-queries.server'
import { recordSecurityEvent } from '../security/security-log.server'
import {
  createRequestContext,
  getUserAgent,
  type RequestContext,
} from '../session/request-context.server'
import { findSession } from '../session/session.server'
import { type SignInProvider, toSignInProvider } from '../social/social-providers.server'
import { hasTwoFactor } from '../two-factor/authenticator-app.server'
import { checkSecondFactor } from '../two-factor/second-step.server'
import { confirmForms, confirmTexts, type Proof } from './confirm-forms'
import { consumeMailedCode } from './mailed-code.server'
import { recordConfirmation } from './step-up.server'

/** What the owner of an account can prove their identity with. */
export type IdentityProofs = {
  hasPassword: boolean
  /** The providers that the owner can sign in with. */
  providers: SignInProvider[]
  hasTwoFactor: boolean
}

export async function getIdentityProofs(
  { db, providers }: Pick<AccountService, 'db' | 'providers'>,
  uid: string,
): Promise<IdentityProofs> {
  const rows = await db
    .select({ providerId: identities.providerId })
    .from(identities)
    .where(eq(identities.userId, uid))
  const hasIdentity = (id: string) => rows.some(({ providerId }) => providerId === id)

  return {
    hasPassword: hasIdentity(passwordProviderId),
    providers: providers.filter(({ id }) => hasIdentity(id)).map(toSignInProvider),
    hasTwoFactor: await hasTwoFactor(db, uid),
  }
}

/** Returns the proofs that the page offers, and which of them are entered into a form. */
export async function listConfirmationProofs(service: AccountService, uid: string) {
  const identityProofs = await getIdentityProofs(service, uid)
  const enteredProofs: Proof[] = []
  if (identityProofs.hasPassword) {
    enteredProofs.push('password')
  }

  if (identityProofs.hasTwoFactor) {
    enteredProofs.push('code')
  }

  // An emailed code proves least, so it is only for accounts that have nothing else to enter.
  if (enteredProofs.length === 0) {
    enteredProofs.push('mailed-code')
  }

  return {
    enteredProofs,
    providers: identityProofs.providers,
    hasPasskey: await hasPasskey(service, uid),
  }
}

export type ConfirmationProofs = Awaited<ReturnType<typeof listConfirmationProofs>>

/**
 * Runs the page's route action: checks a proof, or emails a code. The field `proof` says which
 * proof the form is for.
 *
 * @param nextUrl the path that follows the confirmation
 */
export async function handleConfirmationForm(
  service: AccountService,
  request: Request,
  { form, nextUrl }: { form: FormData; nextUrl: string },
) {
  const requestContext = createRequestContext(request)
  const session = await findSession(service, requestContext)
  if (!session) {
    return accountErrorResponse('not-signed-in')
  }

  const uid = session.userId
  const { enteredProofs } = await listConfirmationProofs(service, uid)
  const proof = enteredProofs.find((enteredProof) => enteredProof === form.get('proof'))
  if (!proof) {
    return accountErrorResponse('invalid-request')
  }

  if (form.get('intent') === 'send') {
    return sendCode(service, uid)
  }

  const { data, errors } = checkForm(confirmForms[proof], form)
  if (errors) {
    return errorResponse(errors, { form })
  }

  const submittedValue = 'password' in data ? data.password : data.code
  const error = await proofChecks[proof](service, requestContext, uid, submittedValue)
  if (error) {
    return accountErrorResponse(error, { form })
  }

  await recordConfirmation(service.db, session, service.now())

  return successResponse<AccountFormSuccess>({ nextUrl }, { redirectTo: nextUrl })
}

type ProofCheck = (
  service: AccountService,
  requestContext: RequestContext,
  uid: string,
  submittedValue: string,
) => Promise<AccountErrorCode | null>

const proofChecks: Record<Proof, ProofCheck> = {
  async password(service, requestContext, uid, password) {
    const passwordHash = await findPasswordHash(service.db, uid)
    return checkPassword(service, requestContext, {
      account: { uid, passwordHash },
      password,
      limits: createOwnerPasswordLimits(uid),
    })
  },
  code: (service, requestContext, uid, submittedCode) =>
    checkSecondFactor(service, requestContext, { uid, submittedCode, purpose: 'step-up' }),
  'mailed-code': checkMailedCode,
}

async function checkMailedCode(
  { db, attempts, now }: AccountService,
  requestContext: RequestContext,
  uid: string,
  code: string,
): Promise<AccountErrorCode | null> {
  // Emailed codes have the limit of other codes, but are counted on their own.
  const attemptSubject = [uid, 'mailed'] as const
  const isWithinLimit = await attempts.consume(attemptLimits.signInCodeByAccount, attemptSubject)
  if (!isWithinLimit) {
    return 'too-many-requests'
  }

  if (!(await consumeMailedCode(db, uid, code, now()))) {
    const userAgent = getUserAgent(requestContext)
    await recordSecurityEvent(db, uid, { kind: 'wrong-code', userAgent })
    return 'wrong-code'
  }

  await attempts.clear(attemptLimits.signInCodeByAccount, attemptSubject)

  return null
}

async function sendCode(service: AccountService, uid: string) {
  // These emails have the limit of emails for a new password, but are counted on their own.
  const attemptSubject = [uid, 'confirm'] as const
  const isWithinLimit = await service.attempts.consume(attemptLimits.resetByAccount, attemptSubject)
  if (!isWithinLimit) {
    return errorResponse(accountErrorMessage('too-many-requests'), { status: 429 })
  }

  await queueMail(service.db, uid, 'confirm-code')
  service.wakeEmailSender()

  return successResponse<AccountFormSuccess>({ notice: confirmTexts.codeSent })
}
