import { data, redirect } from 'react-router'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/request-body.server'
import { refusedForm } from '~/ui/action-result'
import { type AccountServiceCode, accountServiceCodes } from '../account-codes'
import { accountErrorMessage } from '../account-errors'
import { accountService } from '../account-service.server'
import type { FormResult } from '../form/form-result'
import { emailVerified } from '../form/notice-messages'
import { findLearner } from '../session/require-learner.server'
import { confirmation as confirmationTexts } from './confirmation-messages'
import {
  type Confirmation,
  confirmEmail,
  disownAccount,
  findConfirmation,
  requestConfirmation,
} from './email-confirmation.server'

/** A link that works, or what a visitor without one can do. */
export type ConfirmationState =
  | ({ state: 'link'; token: string } & Confirmation)
  | { state: 'visitor'; expired: boolean }
  | { state: 'confirmed'; expired: boolean }
  | { state: 'unconfirmed'; email: string; expired: boolean }

export async function findConfirmationState(request: Request): Promise<ConfirmationState> {
  const token = new URL(request.url).searchParams.get('token')
  const confirmation = token && (await findConfirmation(db, token))
  if (confirmation) return { state: 'link', token, ...confirmation }
  const learner = await findLearner(request)
  const expired = token !== null
  if (!learner) return { state: 'visitor', expired }
  return learner.emailVerified
    ? { state: 'confirmed', expired }
    : { state: 'unconfirmed', email: learner.email, expired }
}

/** Confirms the address, takes the account from whoever made it without asking, or mails a new link. */
export async function confirmEmailAction(request: Request) {
  const form = await readForm(request)
  const intent = form.get('intent')
  const token = String(form.get('token') ?? '')
  if (intent === 'confirm') {
    const uid = await confirmEmail(db, token)
    if (!uid) return refuse('link-expired')
    const learner = await findLearner(request)
    return learner?.uid === uid ? redirect(`/Profile?notice=${emailVerified}`, 303) : leadToLogin(emailVerified)
  }
  if (intent === 'disown')
    return (await disownAccount(db, token)) ? leadToLogin('account-disowned') : refuse('link-expired')
  return intent === 'resend' ? resend(request) : refuse('invalid-request')
}

function leadToLogin(notice: string) {
  return redirect(`/Login?${new URLSearchParams({ notice })}`, 303)
}

function refuse(code: AccountServiceCode) {
  return data<FormResult>(refusedForm(accountErrorMessage(code)), accountServiceCodes[code])
}

async function resend(request: Request) {
  const learner = await findLearner(request)
  if (!learner) return redirect('/Login?from=%2FConfirmEmail', 303)
  const code = await requestConfirmation(accountService, learner.uid)
  return code ? refuse(code) : data<FormResult>({ done: true, notice: confirmationTexts.sent })
}
