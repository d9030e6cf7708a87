/** The page 'Confirm it's you': a signed-in learner proves their identity once more. */
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { queueMail } from '~/server/mail/outbox.server'
import { type AccountErrorCode, accountErrorMessage } from '../account-errors'
import { findPasswordHash } from '../account-queries.server'
import { type AccountService, accountErrorResponse } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { getOwnership } from '../own-data/account-deletion.server'
import { hasPasskey } from '../passkeys/passkeys.server'
import { checkPassword, createOwnerAttempt } from '../password/passwords.server'
import { recordSecurityEvent } from '../security/security-log.server'
import {
  createRequestContext,
  findSession,
  getUserAgent,
  type RequestContext,
} from '../session/session.server'
import { checkSecondFactor } from '../two-factor/second-step.server'
import { confirmForms, confirmTexts, type Proof } from './confirm-forms'
import { consumeMailedCode } from './mailed-code.server'
import { recordConfirmation } from './step-up.server'

/** Returns how the account's owner can prove their identity. */
export async function listProofs(service: AccountService, uid: string) {
  const { password: hasPassword, providers, twoStep } = await getOwnership(service.db, uid)
  const typed: Proof[] = []
  if (hasPassword) {
    typed.push('password')
  }

  if (twoStep) {
    typed.push('code')
  }

  // An emailed code proves least, so it is only for accounts that have nothing else.
  if (typed.length === 0) {
    typed.push('mailed-code')
  }

  return { typed, providers, passkey: await hasPasskey(service, uid) }
}

/** @param nextUrl the path that follows the confirmation */
export async function handleConfirmationForm(
  service: AccountService,
  form: FormData,
  request: Request,
  nextUrl: string,
) {
  const requestContext = createRequestContext(request)
  const session = await findSession(service, requestContext)
  if (!session) {
    return accountErrorResponse('not-signed-in')
  }

  const uid = session.userId
  const proofs = await listProofs(service, uid)
  const proof = proofs.typed.find((one) => one === form.get('proof'))
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

  // Each form has a single field.
  const submittedValue = Object.values(data).join()
  const error = await proofChecks[proof](service, requestContext, uid, submittedValue)
  if (error) {
    return accountErrorResponse(error, { form })
  }

  await recordConfirmation(service.db, session, service.now())

  return successResponse<AccountFormSuccess>({ nextUrl }, { page: nextUrl })
}

type ProofCheck = (
  service: AccountService,
  requestContext: RequestContext,
  uid: string,
  submittedValue: string,
) => Promise<AccountErrorCode | null>

const proofChecks: Record<Proof, ProofCheck> = {
  async password(service, requestContext, uid, password) {
    const account = { uid, passwordHash: await findPasswordHash(service.db, uid) }
    return checkPassword(service, requestContext, account, password, createOwnerAttempt(uid))
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
  const subject = [uid, 'mailed'] as const
  if (!(await attempts.consume(attemptLimits.signInCodeByAccount, subject))) {
    return 'too-many-requests'
  }

  if (!(await consumeMailedCode(db, uid, code, now()))) {
    const userAgent = getUserAgent(requestContext)
    await recordSecurityEvent(db, uid, { kind: 'wrong-code', userAgent })
    return 'wrong-code'
  }

  await attempts.clear(attemptLimits.signInCodeByAccount, subject)

  return null
}

async function sendCode(service: AccountService, uid: string) {
  const subject = [uid, 'confirm'] as const
  const isWithinLimit = await service.attempts.consume(attemptLimits.resetByAccount, subject)
  if (!isWithinLimit) {
    return errorResponse(accountErrorMessage('too-many-requests'), { status: 429 })
  }

  await queueMail(service.db, uid, 'confirm-code')
  service.wakeEmailSender()

  return successResponse<AccountFormSuccess>({ notice: confirmTexts.codeSent })
}
