import { data, redirect } from 'react-router'
import { accountServiceCodes } from '~/server/auth/account-codes'
import {
  type Confirmation,
  confirmEmail,
  disownAccount,
  findConfirmation,
} from '~/server/auth/email-confirmation.server'
import { accountService } from '~/server/auth.server'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/request-body.server'
import { findLearner } from '~/server/session.server'
import { accountErrorMessage } from './account-errors'
import type { FormReply } from './account-form-actions.server'

/** A link that works, or what whoever came without one can do. */
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
  if (intent === 'confirm') return (await confirmEmail(db, token)) ? onward('email-verified') : expired()
  if (intent === 'disown') return (await disownAccount(db, token)) ? onward('account-disowned') : expired()
  if (intent === 'resend') return resend(request)
  return data<FormReply>({ error: 'This form cannot be read. Please reload the page' }, 400)
}

function onward(notice: string) {
  return redirect(`/Login?${new URLSearchParams({ notice })}`, 303)
}

function expired() {
  return data<FormReply>({ error: accountErrorMessage('link-expired') }, accountServiceCodes['link-expired'])
}

async function resend(request: Request) {
  const learner = await findLearner(request)
  if (!learner) return redirect('/Login?from=%2FConfirmEmail', 303)
  const code = await accountService.requestConfirmation(learner.uid)
  if (code) return data<FormReply>({ error: accountErrorMessage(code) }, accountServiceCodes[code])
  return data<FormReply>({ notice: 'The link is on its way to you' }, 200)
}
