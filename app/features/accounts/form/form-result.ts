import { data, isRouteErrorResponse } from 'react-router'
import type { infer as infer_, ZodMiniType } from 'zod/mini'
import { describeErrorResponse, isUnreachable } from '~/ui/connection'
import { type FieldErrors, type FormResult, failedResult } from '~/ui/form/form-result'
import type { FormState } from '~/ui/form/use-form'
import { accountErrorMessage } from '../account-errors'

export type AccountFormSuccess = {
  /** The URL of the next page, after the browser's session has changed. */
  nextUrl?: string
  /** New recovery codes, which are shown only this time. */
  recoveryCodes?: string[]
}

export type AccountFormResult = FormResult<AccountFormSuccess>
export type AccountForm = FormState<AccountFormSuccess>

/**
 * Returns the form result for an error that the `clientAction` of an account form has caught.
 * Without a response, the form shows a message and keeps its input.
 *
 * @param unexpected the sentence for a failure without a message of its own.
 */
export function failedAccountFormResponse(error: unknown, unexpected: string) {
  const banner = describeFailedRequest(error, unexpected)
  return data({ ...failedResult(banner), banner }, { status: 503 })
}

function describeFailedRequest(error: unknown, unexpected: string): string {
  if (isUnreachable(error)) {
    return accountErrorMessage('network-request-failed')
  }

  // The server is busy or under maintenance, and says so.
  return isRouteErrorResponse(error) && error.status === 503
    ? describeErrorResponse(error)
    : unexpected
}

type FormCheck<Schema extends ZodMiniType> =
  | { data: infer_<Schema>; errors?: undefined }
  | { data?: undefined; errors: FieldErrors }

/**
 * Returns the values of the form, or the first message for each wrong field. The caller passes the
 * schema, because it may load later.
 */
export function checkForm<Schema extends ZodMiniType>(
  schema: Schema,
  form: FormData,
): FormCheck<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(form))
  if (parsed.success) {
    return { data: parsed.data }
  }

  const errors: FieldErrors = {}
  for (const { path, message } of parsed.error.issues) {
    const field = String(path[0])
    errors[field] ??= message
  }

  return { errors }
}
