import { data, redirect } from 'react-router'
import type { AccountCode } from '~/server/auth/account-codes'
import { accountService } from '~/server/auth.server'
import { ownPath } from '~/server/own-path'
import { readForm } from '~/server/request-body.server'
import { accountErrorMessage, resetMailSent, resetNeedsEmail } from './account-errors'
import { checkForm, type FieldErrors } from './form-check'
import { loginForm } from './login-form-schema'
import { newPasswordForm, resetRequestForm } from './reset-form-schema'
import { signUpForm } from './sign-up-form-schema'

/** What a form shows after it was sent without JavaScript. */
export type FormReply = {
  errors?: FieldErrors
  /** Of the account service. */
  error?: string
  /** Good news. */
  notice?: string
  /** What was typed, passwords excepted. */
  values?: Record<string, string>
}

type ServiceAnswer = { success: boolean; code?: AccountCode }

/** Asks the account service on behalf of a form's request: the same way, limits included, that a browser's call takes. */
export async function callService(request: Request, operation: string, body: object) {
  const headers = new Headers({ 'Content-Type': 'application/json', Origin: new URL(request.url).origin })
  const cookie = request.headers.get('cookie')
  if (cookie) headers.set('Cookie', cookie)
  const address = new URL(`/account/${operation}`, request.url)
  const response = await accountService.handle(
    new Request(address, { method: 'POST', headers, body: JSON.stringify(body) }),
  )
  const answer = (await response.json()) as ServiceAnswer
  const cookies = new Headers()
  for (const value of response.headers.getSetCookie()) cookies.append('Set-Cookie', value)
  return { answer, status: response.status, cookies }
}

function typed(form: FormData): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of form) {
    if (typeof value === 'string' && !/password|token/i.test(name)) values[name] = value
  }
  return values
}

const reply = (reply: FormReply, status: number) => data(reply, status)

/** Where to go after signing in: the form's address may name a page of this product. */
function onward(request: Request): string {
  return ownPath(new URL(request.url).searchParams.get('from'))
}

export async function loginAction(request: Request) {
  const form = await readForm(request)
  const values = typed(form)
  if (form.get('intent') === 'forgot') return forgotPassword(request, form)
  const { data: login, errors } = checkForm(loginForm, form)
  if (errors) return reply({ errors, values }, 400)
  const { answer, status, cookies } = await callService(request, 'login', login)
  if (!answer.success) return reply({ error: accountErrorMessage(answer.code), values }, status)
  return redirect(onward(request), { headers: cookies })
}

async function forgotPassword(request: Request, form: FormData) {
  const values = typed(form)
  if (!values.email?.trim()) return reply({ errors: { email: resetNeedsEmail }, values }, 400)
  return requestReset(request, form)
}

async function requestReset(request: Request, form: FormData) {
  const values = typed(form)
  const { data: entered, errors } = checkForm(resetRequestForm, form)
  if (errors) return reply({ errors, values }, 400)
  const { answer, status } = await callService(request, 'forgot-password', entered)
  if (!answer.success) return reply({ error: accountErrorMessage(answer.code), values }, status)
  return reply({ notice: resetMailSent, values }, 200)
}

export async function signUpAction(request: Request) {
  const form = await readForm(request)
  const values = typed(form)
  const { data: entered, errors } = checkForm(signUpForm, form)
  if (errors) return reply({ errors, values }, 400)
  const { email, password, firstName, lastName } = entered
  const { answer, status, cookies } = await callService(request, 'register', { email, password, firstName, lastName })
  if (!answer.success) return reply({ error: accountErrorMessage(answer.code), values }, status)
  return redirect(onward(request), { headers: cookies })
}

/** Asks for a link, or with a link sets the new password. */
export async function resetAction(request: Request) {
  const form = await readForm(request)
  if (!form.has('token')) return requestReset(request, form)
  const { data: entered, errors } = checkForm(newPasswordForm, form)
  if (errors) return reply({ errors }, 400)
  const { token, password } = entered
  const { answer, status, cookies } = await callService(request, 'new-password', { token, password })
  if (!answer.success) return reply({ error: accountErrorMessage(answer.code) }, status)
  return redirect('/Login?notice=password-changed', { headers: cookies })
}
