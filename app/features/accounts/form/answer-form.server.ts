import type { infer as infer_, ZodMiniType } from 'zod/mini'
import { answerAction } from '~/server/action-answer.server'
import { type AccountServiceCode, accountServiceCodes } from '../account-codes'
import { refusalOf } from '../account-errors'
import { type AccountService, accountService } from '../account-service.server'
import { openVisit, type Visit } from '../session/visit.server'
import { checkForm } from './form-check'
import type { FormResult } from './form-result'

/**
 * Checks an account form, runs it and answers.
 *
 * @param run returns null when done, or the reason why not.
 * @param done what to say then, or where to go on.
 */
export async function answerForm<Schema extends ZodMiniType>(
  request: Request,
  form: FormData,
  schema: Schema,
  run: (service: AccountService, visit: Visit, entered: infer_<Schema>) => Promise<AccountServiceCode | null>,
  done: { notice: string } | { onward: string },
) {
  const { data, errors } = checkForm(schema, form)
  if (errors) return answerAction<FormResult>(request, { done: false, errors, typed: typedIn(form) })
  const visit = openVisit(request)
  const code = await run(accountService, visit, data)
  const headers = visit.cookies
  if (code === null) {
    const page = 'onward' in done ? done.onward : undefined
    return answerAction<FormResult>(request, { done: true, ...done }, { headers, page })
  }
  const refused = { done: false as const, ...refusalOf(code), again: code === 'busy', typed: typedIn(form) }
  return answerAction<FormResult>(request, refused, { headers, status: accountServiceCodes[code] })
}

/** What a page without scripts fills in again. */
export function typedIn(form: FormData): Record<string, string> {
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.filter(([name]) => !/password|token/i.test(name)))
}
