import * as z from 'zod/mini'
import type { Transaction } from '~/server/database/client.server'
import { createQrPath } from '~/server/drawing/qr-path.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { accountErrorMessage } from '../account-errors'
import { demoUid, findUser } from '../account-queries.server'
import { type AccountService, refuseAccountForm } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { endOtherDevices } from '../security/devices.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailSecurityChange } from '../security/security-mails.server'
import {
  findSession,
  openRequestContext,
  type RequestContext,
  userAgentOf,
} from '../session/session.server'
import {
  beginSetup,
  cancelSetup,
  enableApp,
  findStep,
  findTwoFactor,
  readSetup,
  removeApp,
} from './authenticator-app.server'
import { codeForm } from './code-form'
import { makeRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.server'
import { isTwoFactorRequired } from './required-two-factor.server'
import { twoFactorNotices, twoFactorTexts } from './two-factor-messages'

/** What the page shows. The app's secret is shown until its first code, and never again. */
export async function readTwoFactor(
  service: AccountService,
  learner: { uid: string; email: string },
) {
  const row = await findTwoFactor(service.db, learner.uid)
  if (row?.enabledAt) {
    return {
      state: 'on' as const,
      since: row.enabledAt.toISOString(),
      left: row.recoveryHashes.length,
    }
  }

  const setup = row && (await readSetup(service, row, learner.email))
  if (!setup) {
    return { state: 'off' as const }
  }

  const { address, key } = setup

  return {
    state: 'begun' as const,
    address,
    key: key.replace(/.{4}(?=.)/g, '$& '),
    qr: createQrPath(address),
  }
}

export type TwoFactorState = Awaited<ReturnType<typeof readTwoFactor>>

const twoFactorForm = z.object({
  intent: z.enum(['begin', 'cancel', 'enable', 'new-codes', 'turn-off']),
  endOthers: z.optional(z.literal('on')),
})

type Change = {
  service: AccountService
  requestContext: RequestContext
  session: { id: string; userId: string }
  endOthers: boolean
}

/** The action of the page, for a session that is confirmed. */
export async function answerTwoFactor(service: AccountService, request: Request, form: FormData) {
  const { data } = checkForm(twoFactorForm, form)
  const requestContext = openRequestContext(request)
  const session = await findSession(service, requestContext)
  if (!data || !session) {
    return refuseAccountForm(data ? 'not-signed-in' : 'invalid-request')
  }

  const uid = session.userId
  if (uid === demoUid) {
    return refuseAccountForm('demo-account')
  }

  const change = { service, requestContext, session, endOthers: data.endOthers === 'on' }
  switch (data.intent) {
    case 'begin':
      return begin(service, uid)
    case 'cancel':
      await cancelSetup(service.db, uid)
      return successResponse<AccountFormSuccess>()
    case 'enable':
      return enable(change, form)
    case 'new-codes':
      return makeNewCodes(change)
    case 'turn-off':
      return turnOff(change)
  }
}

async function begin(service: AccountService, uid: string) {
  const user = await findUser(service.db, uid)
  // A stranger who registered with someone's address could lock its owner out. Who has to set it up
  // may have no mail.
  if (!user?.emailVerified && !(await isTwoFactorRequired(service.db, uid))) {
    return errorResponse(twoFactorTexts.needsAddress, { status: 403 })
  }

  await beginSetup(service, uid)

  return successResponse<AccountFormSuccess>()
}

async function enable(change: Change, form: FormData) {
  const { service, session } = change
  const { attempts, now } = service
  const uid = session.userId
  const { data, errors } = checkForm(codeForm, form)
  if (errors) {
    return errorResponse(errors)
  }

  const subject = [uid, 'set-up'] as const
  if (!(await attempts.take(attemptLimits.signInCodeByAccount, subject))) {
    return refuseAccountForm('too-many-requests')
  }

  const row = await findTwoFactor(service.db, uid)
  const step = row && (await findStep(service, row, data.code.replace(/\s/g, '')))
  if (!row || row.enabledAt) {
    return errorResponse(twoFactorNotices.begunAnew, { status: 409 })
  }

  if (step === null) {
    return refuseAccountForm('wrong-code')
  }

  const codes = await makeRecoveryCodes()
  if (!codes) {
    return refuseAccountForm('busy')
  }

  await attempts.clear(attemptLimits.signInCodeByAccount, subject)
  const enabled = await record(change, 'two-factor-on', (tx) =>
    enableApp(tx, row, { lastStep: step, ...codes.stored }, now()),
  )
  if (!enabled) {
    return errorResponse(twoFactorNotices.begunAnew, { status: 409 })
  }

  return successResponse<AccountFormSuccess>({
    notice: twoFactorNotices.on,
    recoveryCodes: codes.shown,
  })
}

async function makeNewCodes({ service, requestContext, session }: Change) {
  const uid = session.userId
  // Making codes takes as long as checking ten passwords.
  const isWithinLimit = await service.attempts.take(attemptLimits.resetByAccount, [
    uid,
    'recovery codes',
  ])
  if (!isWithinLimit) {
    return errorResponse(accountErrorMessage('too-many-requests'), { status: 429 })
  }

  const codes = await makeRecoveryCodes()
  if (!codes) {
    return refuseAccountForm('busy')
  }

  const replaced = await service.db.transaction(async (tx) => {
    if (!(await replaceRecoveryCodes(tx, uid, codes.stored))) {
      return false
    }

    await recordSecurityEvent(tx, uid, {
      kind: 'recovery-codes-made',
      userAgent: userAgentOf(requestContext),
    })
    await mailSecurityChange(tx, uid, 'recovery-codes')

    return true
  })

  if (!replaced) {
    return errorResponse(twoFactorNotices.begunAnew, { status: 409 })
  }

  service.mailQueued()

  return successResponse<AccountFormSuccess>({
    notice: twoFactorNotices.newCodes,
    recoveryCodes: codes.shown,
  })
}

async function turnOff(change: Change) {
  await record(change, 'two-factor-off', (tx) => removeApp(tx, change.session.userId))
  return successResponse<AccountFormSuccess>({ notice: twoFactorNotices.off })
}

/**
 * Makes a change with its event and its mail, all of them or none.
 *
 * @returns false if there was nothing to change.
 */
async function record(
  { service, requestContext, session, endOthers }: Change,
  kind: 'two-factor-on' | 'two-factor-off',
  make: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  const uid = session.userId
  const changed = await service.db.transaction(async (tx) => {
    if (!(await make(tx))) {
      return false
    }

    await recordSecurityEvent(tx, uid, { kind, userAgent: userAgentOf(requestContext) })
    await mailSecurityChange(tx, uid, kind)
    if (endOthers) {
      await endOtherDevices(tx, uid, session.id)
    }

    return true
  })

  if (changed) {
    service.mailQueued()
  }

  return changed
}
