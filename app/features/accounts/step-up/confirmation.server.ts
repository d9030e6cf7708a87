import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { queueMail } from '~/server/mail/outbox.server'
import { type AccountServiceCode, accountErrorMessage } from '../account-errors'
import { findPasswordHash } from '../account-queries.server'
import { type AccountService, refuseAccountForm } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { getOwnership } from '../own-data/account-deletion.server'
import { hasPasskey } from '../passkeys/passkeys.server'
import { checkPassword, countedForOwner } from '../password/passwords.server'
import { recordSecurityEvent } from '../security/security-log.server'
import {
  findSession,
  openRequestContext,
  type RequestContext,
  userAgentOf,
} from '../session/session.server'
import { checkCode } from '../two-factor/second-step.server'
import { confirmForms, confirmTexts, type Proof } from './confirm-forms'
import { consumeMailedCode } from './mailed-code.server'
import { recordConfirmation } from './step-up.server'

/** The ways in which an account can prove that its learner is there. */
export async function listProofs(service: AccountService, uid: string) {
  const { password, providers, twoStep } = await getOwnership(service.db, uid)
  const typed: Proof[] = [
    ...(password ? (['password'] as const) : []),
    ...(twoStep ? (['code'] as const) : []),
  ]
  // It proves least, so only an account without another proof has it.
  if (typed.length === 0) {
    typed.push('mailed-code')
  }

  return { typed, providers, passkey: await hasPasskey(service, uid) }
}

/** The action of 'Confirm it's you'. @param onward where it leads afterwards. */
export async function answerConfirmation(
  service: AccountService,
  form: FormData,
  request: Request,
  onward: string,
) {
  const requestContext = openRequestContext(request)
  const session = await findSession(service, requestContext)
  if (!session) {
    return refuseAccountForm('not-signed-in')
  }

  const uid = session.userId
  const { typed } = await listProofs(service, uid)
  const proof = typed.find((one) => one === form.get('proof'))
  if (!proof) {
    return refuseAccountForm('invalid-request')
  }

  if (form.get('intent') === 'send') {
    return sendCode(service, uid)
  }

  const { data, errors } = checkForm(confirmForms[proof], form)
  if (errors) {
    return errorResponse(errors, { form })
  }

  const refused = await checks[proof](service, requestContext, uid, Object.values(data).join())
  if (refused) {
    return refuseAccountForm(refused, { form })
  }

  await recordConfirmation(service.db, session, service.now())

  return successResponse<AccountFormSuccess>({ onward }, { page: onward })
}

type Check = (
  service: AccountService,
  requestContext: RequestContext,
  uid: string,
  typed: string,
) => Promise<AccountServiceCode | null>

const checks: Record<Proof, Check> = {
  async password(service, requestContext, uid, password) {
    const hash = await findPasswordHash(service.db, uid)
    return checkPassword(service, requestContext, { uid, hash }, password, countedForOwner(uid))
  },
  code: (service, requestContext, uid, code) =>
    checkCode(service, requestContext, uid, code, 'signed in'),
  async 'mailed-code'({ db, attempts, now }, requestContext, uid, code) {
    if (!(await attempts.take(attemptLimits.signInCodeByAccount, [uid, 'mailed']))) {
      return 'too-many-requests'
    }

    if (!(await consumeMailedCode(db, uid, code, now()))) {
      await recordSecurityEvent(db, uid, {
        kind: 'wrong-code',
        userAgent: userAgentOf(requestContext),
      })
      return 'wrong-code'
    }

    await attempts.clear(attemptLimits.signInCodeByAccount, [uid, 'mailed'])

    return null
  },
}

async function sendCode(service: AccountService, uid: string) {
  const isWithinLimit = await service.attempts.take(attemptLimits.resetByAccount, [uid, 'confirm'])
  if (!isWithinLimit) {
    return errorResponse(accountErrorMessage('too-many-requests'), { status: 429 })
  }

  await queueMail(service.db, uid, 'confirm-code')
  service.mailQueued()

  return successResponse<AccountFormSuccess>({ notice: confirmTexts.codeSent })
}
