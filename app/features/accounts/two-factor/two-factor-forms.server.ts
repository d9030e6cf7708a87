/**
 * The server side of the page 'Two-step sign-in', where a learner sets up an authenticator app,
 * generates new recovery codes, and turns two-step sign-in off.
 */
import * as z from 'zod/mini'
import type { Transaction } from '~/server/database/client.server'
import { createQrPath } from '~/server/drawing/qr-path.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { demoUid, findUser } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { accountErrorResponse } from '../form/account-error-response.server'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { endOtherDevices } from '../security/devices.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailSecurityChange } from '../security/security-mails.server'
import {
  createRequestContext,
  getUserAgent,
  type RequestContext,
} from '../session/request-context.server'
import { findSession } from '../session/session.server'
import {
  cancelAppSetup,
  enableAuthenticatorApp,
  findTimeStep,
  findTwoFactor,
  parseAppCode,
  readAppSetup,
  removeAuthenticatorApp,
  startAppSetup,
} from './authenticator-app.server'
import { generateRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.server'
import { isTwoFactorRequired } from './required-two-factor.server'
import { codeForm, twoFactorTexts } from './two-factor-texts'

/**
 * Returns what the page shows. The secret of the app is shown until its first code has been
 * entered, and never again.
 */
export async function readTwoFactorStatus(
  service: AccountService,
  learner: { uid: string; email: string },
) {
  const row = await findTwoFactor(service.db, learner.uid)
  if (!row) {
    return { status: 'off' as const }
  }

  if (row.enabledAt) {
    return {
      status: 'on' as const,
      since: row.enabledAt.toISOString(),
      remainingCodes: row.recoveryHashes.length,
    }
  }

  const setup = await readAppSetup(service, row, learner.email)
  if (!setup) {
    return { status: 'off' as const }
  }

  const { url, key } = setup

  return {
    status: 'setup' as const,
    url,
    // A space after every four characters makes the key easier to type.
    key: key.replace(/.{4}(?=.)/g, '$& '),
    qr: createQrPath(url),
  }
}

export type TwoFactorStatus = Awaited<ReturnType<typeof readTwoFactorStatus>>

const twoFactorForm = z.object({
  intent: z.enum(['begin', 'cancel', 'enable', 'new-codes', 'turn-off']),
  endOthers: z.optional(z.literal('on')),
})

/** Who makes a change, and from which device. */
type ChangeContext = {
  service: AccountService
  requestContext: RequestContext
  session: { id: string; userId: string }
  /** Whether the change also signs all other devices out. */
  shouldEndOthers: boolean
}

/** Runs the page's route action. The route has already required a recent sign-in. */
export async function handleTwoFactorForm(
  service: AccountService,
  request: Request,
  form: FormData,
) {
  const { data } = checkForm(twoFactorForm, form)
  if (!data) {
    return accountErrorResponse('invalid-request')
  }

  const requestContext = createRequestContext(request)
  const session = await findSession(service, requestContext)
  if (!session) {
    return accountErrorResponse('not-signed-in')
  }

  const uid = session.userId
  if (uid === demoUid) {
    return accountErrorResponse('demo-account')
  }

  const shouldEndOthers = data.endOthers === 'on'
  const context = { service, requestContext, session, shouldEndOthers }
  switch (data.intent) {
    case 'begin':
      return startSetup(service, uid)
    case 'cancel':
      await cancelAppSetup(service.db, uid)
      return successResponse<AccountFormSuccess>()
    case 'enable':
      return enableTwoFactor(context, form)
    case 'new-codes':
      return renewRecoveryCodes(context)
    case 'turn-off':
      return disableTwoFactor(context)
  }
}

async function startSetup(service: AccountService, uid: string) {
  const user = await findUser(service.db, uid)
  // Without a confirmed email, a stranger who registered with somebody's email could lock its owner
  // out. Accounts that are required to have two-step sign-in are exempt, because a school without a
  // mail server has no confirmed emails.
  const canSetUp = user?.emailVerified || (await isTwoFactorRequired(service.db, uid))
  if (!canSetUp) {
    return errorResponse(twoFactorTexts.needsConfirmedEmail, { status: 403 })
  }

  await startAppSetup(service, uid)

  return successResponse<AccountFormSuccess>()
}

async function enableTwoFactor(context: ChangeContext, form: FormData) {
  const { service, session } = context
  const { attempts, now } = service
  const uid = session.userId
  const { data, errors } = checkForm(codeForm, form)
  if (errors) {
    return errorResponse(errors)
  }

  const appCode = parseAppCode(data.code)
  if (appCode === null) {
    return accountErrorResponse('incomplete-code')
  }

  const attemptSubject = [uid, 'set-up'] as const
  const isWithinLimit = await attempts.consume(attemptLimits.signInCodeByAccount, attemptSubject)
  if (!isWithinLimit) {
    return accountErrorResponse('too-many-requests')
  }

  const row = await findTwoFactor(service.db, uid)
  if (!row || row.enabledAt) {
    return setupEndedResponse()
  }

  const timeStep = await findTimeStep(service, row, appCode)
  if (timeStep === null) {
    return accountErrorResponse('wrong-code')
  }

  const codes = await generateRecoveryCodes()
  if (!codes) {
    return accountErrorResponse('busy')
  }

  await attempts.clear(attemptLimits.signInCodeByAccount, attemptSubject)
  const isEnabled = await saveChange(context, 'two-factor-on', (tx) =>
    enableAuthenticatorApp(tx, row, { lastStep: timeStep, ...codes.hashedCodes }, now()),
  )
  if (!isEnabled) {
    return setupEndedResponse()
  }

  return successResponse<AccountFormSuccess>({
    notice: twoFactorNotices.on,
    recoveryCodes: codes.displayedCodes,
  })
}

function setupEndedResponse() {
  return errorResponse(twoFactorNotices.setupEnded, { status: 409 })
}

async function renewRecoveryCodes(context: ChangeContext) {
  const { service, session } = context
  const uid = session.userId
  // Hashing ten codes takes as long as checking ten passwords, so it has a limit.
  const isWithinLimit = await service.attempts.consume(attemptLimits.resetByAccount, [
    uid,
    'recovery codes',
  ])
  if (!isWithinLimit) {
    return accountErrorResponse('too-many-requests')
  }

  const codes = await generateRecoveryCodes()
  if (!codes) {
    return accountErrorResponse('busy')
  }

  const areReplaced = await saveChange(context, 'recovery-codes', (tx) =>
    replaceRecoveryCodes(tx, uid, codes.hashedCodes),
  )
  if (!areReplaced) {
    return errorResponse(twoFactorTexts.off, { status: 409 })
  }

  return successResponse<AccountFormSuccess>({
    notice: twoFactorNotices.newCodes,
    recoveryCodes: codes.displayedCodes,
  })
}

async function disableTwoFactor(context: ChangeContext) {
  const uid = context.session.userId
  await saveChange(context, 'two-factor-off', (tx) => removeAuthenticatorApp(tx, uid))
  return successResponse<AccountFormSuccess>({ notice: twoFactorNotices.off })
}

/** The kind of each change in its email, and in its entry in the security log. */
const eventByChange = {
  'two-factor-on': 'two-factor-on',
  'two-factor-off': 'two-factor-off',
  'recovery-codes': 'recovery-codes-made',
} as const

/**
 * Makes a change together with its entry in the security log and its email, in one transaction.
 *
 * @param makeChange returns whether there was something to change
 * @returns whether there was something to change
 */
async function saveChange(
  { service, requestContext, session, shouldEndOthers }: ChangeContext,
  change: keyof typeof eventByChange,
  makeChange: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  const uid = session.userId
  const userAgent = getUserAgent(requestContext)
  const isChanged = await service.db.transaction(async (tx) => {
    if (!(await makeChange(tx))) {
      return false
    }

    await recordSecurityEvent(tx, uid, { kind: eventByChange[change], userAgent })
    await mailSecurityChange(tx, uid, change)
    if (shouldEndOthers) {
      await endOtherDevices(tx, uid, session.id)
    }

    return true
  })

  if (isChanged) {
    service.wakeEmailSender()
  }

  return isChanged
}

const twoFactorNotices = {
  on: 'Two-step sign-in is on. Now save your recovery codes.',
  off: 'Two-step sign-in is off.',
  newCodes: 'Here are your new recovery codes.',
  setupEnded: 'The set-up was begun anew or has ended, maybe in another tab. Please try again.',
} as const
