import { data, redirect } from 'react-router'
import type { AuditRecord } from '~/features/staff/audit.server'
import { hasPermission, type StaffActionDefinition } from '~/features/staff/permissions'
import { type ActionContext, performAction } from '~/features/staff/staff-action.server'
import { hasRecentSignIn } from '~/features/staff/staff-session.server'
import type { Transaction } from '~/server/database/client.server'
import {
  errorResponse,
  readSubmittedValues,
  successResponse,
} from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import type { Result } from '~/server/result'
import { type DeskRequest, unknownPage } from './desk-request.server'

/** What a desk page does with a form: it calls one action of a feature. */
export type SubmittedForm = DeskRequest & {
  form: FormData
  /** Who performs the action. */
  actionContext: ActionContext
}

/** What the page says after a successful action, and where it leads. */
export type PerformedAction = {
  outcome: string
  /** The next page, if this one no longer exists for the member of staff. */
  onward?: string
}

/** A change that a desk page offers, made by an action of a feature. */
export type DeskAction = Pick<StaffActionDefinition, 'permission' | 'isSensitive'> & {
  perform(submitted: SubmittedForm): Promise<Result<PerformedAction>>
}

/** A submitted form, with the transaction of the change that it asks for. */
export type DeskActionRequest = SubmittedForm & { transaction: Transaction }

/** What a change did: its audit entry, whose `outcome` is also what the page says. */
export type ActionOutcome = AuditRecord & PerformedAction

/** Returns a desk action that makes a change and writes its audit entry in one transaction. */
export function createDeskAction(
  definition: StaffActionDefinition,
  change: (request: DeskActionRequest) => Promise<Result<ActionOutcome>>,
): DeskAction {
  return {
    ...definition,
    perform: (submitted) =>
      performAction(submitted.actionContext, definition, (transaction) =>
        change({ ...submitted, transaction }),
      ),
  }
}

/** Returns the trimmed text of a form field, or an empty text if the form lacks it. */
export function readText({ form }: { form: FormData }, name: string): string {
  return String(form.get(name) ?? '').trim()
}

const confirmFirst =
  'First confirm in a new tab that it’s you. What you typed stays here: then send it again.'

/**
 * Runs the action that the form names in its field `act`, and turns the result into a response.
 *
 * @param renderPreview turns the form's Markdown into HTML; its button is called 'preview'
 * @throws 404 if this page has no such action, or the member of staff may not perform it
 */
export async function handleDeskForm(
  request: Request,
  desk: DeskRequest,
  actions: Readonly<Record<string, DeskAction>>,
  renderPreview?: (form: FormData) => string,
) {
  const form = await readForm(request)
  const name = String(form.get('act') ?? '')
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (!action || !hasPermission(desk.staff, action.permission)) {
    throw await unknownPage()
  }

  if (renderPreview && form.has('preview')) {
    const preview = renderPreview(form)
    const submittedValues = readSubmittedValues(form)
    return data({ done: false as const, errors: {}, submittedValues, preview })
  }

  if (action.isSensitive && !(await hasRecentSignIn(desk))) {
    return errorResponse({ confirm: confirmFirst }, { status: 403, form })
  }

  const { db, staff, now } = desk
  const actionContext = { db, staff, actor: staff.uid, now }
  const result = await action.perform({ ...desk, form, actionContext })
  if (!result.ok) {
    return errorResponse(result.problem, { form })
  }

  const { outcome, onward } = result.value
  if (onward !== undefined) {
    throw redirect(onward, 303)
  }

  return successResponse({ notice: outcome })
}
