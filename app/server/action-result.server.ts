import { data, redirect } from 'react-router'
import { type FieldErrors, type Refusal, refused } from '~/ui/action-result'
import { isDataRequest } from './client-address.server'

type DoneOptions = {
  headers?: HeadersInit
  /** The page that shows the change: a form sent without scripts is led there. */
  page?: string
}

/**
 * What an action returns when the change is made, now or by an earlier request.
 *
 * @param result what the page needs to know about the change.
 * @throws a redirect to `page` for a form that was sent without scripts.
 */
export function done<Result extends object = object>(result = {} as Result, { headers, page }: DoneOptions = {}) {
  if (page !== undefined && isPlainForm()) throw redirect(page, { status: 303, headers })
  return data({ done: true as const, ...result }, { headers })
}

type RefusalOptions = Pick<Refusal, 'banner' | 'again'> & {
  status?: number
  headers?: HeadersInit
  /** What was sent: without scripts the page fills it in again, but never a password. */
  form?: FormData
  /** Of a route that has no page itself, as for `done`: a form sent without scripts gets the sentence alone. */
  page?: string
}

/**
 * What an action returns when nothing was changed.
 *
 * @param problem a sentence about the whole form, or one for each wrong field.
 */
export function refuse(
  problem: string | FieldErrors,
  { status = 400, headers, form, page, banner, again }: RefusalOptions = {},
) {
  const refusal: Refusal = { ...refused(problem), typed: form && typedIn(form), banner, again }
  if (page !== undefined && isPlainForm()) throw new Response(Object.values(refusal.errors)[0], { status, headers })
  return data(refusal, { status, headers })
}

/** True for a browser that leaves its page to send a form; false for a script, which shows the answer itself. */
export function isPlainForm(): boolean {
  return !isDataRequest()
}

function typedIn(form: FormData): Record<string, string> {
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.filter(([name]) => !/password|token/i.test(name)))
}
