/**
 * Runs the forms of the desk's pages.
 *
 * A page has an object of desk actions. Each form names one of them in its hidden field `intent`.
 * An action that the member's role may not perform responds like an unknown page. A sensitive
 * action needs a recent sign-in. Everything else is checked by the action itself.
 */
import { data, redirect } from 'react-router'
import type { NewAuditEntry } from '~/features/staff/audit.server'
import { hasPermission } from '~/features/staff/permissions'
import {
  performStaffAction,
  type StaffActionContext,
  type StaffActionDefinition,
} from '~/features/staff/staff-action.server'
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

/** A change that a desk page offers. It calls the staff action of a feature. */
export type DeskAction = Pick<StaffActionDefinition, 'permission' | 'needsRecentSignIn'> & {
  perform(request: DeskFormRequest): Promise<Result<DeskActionResult>>
}

/** A desk request with the submitted form. */
export type DeskFormRequest = DeskRequest & {
  form: FormData
  /** Says who performs the staff action. */
  actionContext: StaffActionContext
}

/** What the page says after a successful action, and where it leads. */
export type DeskActionResult = {
  /** A sentence that says what the action did. */
  outcome: string
  /** Another page to show, for example because the action has removed this one. */
  redirectTo?: string
}

const confirmIdentityFirst =
  'First confirm in a new tab that it’s you. What you typed stays here: then send it again.'

/**
 * Performs the action that the form names, and turns its result into a response.
 *
 * @param renderPreview turns the form's Markdown into HTML, for a form with the button 'preview'
 * @throws 404 if this page has no such action, or the member of staff may not perform it
 */
export async function handleDeskForm(
  request: Request,
  desk: DeskRequest,
  actions: Readonly<Record<string, DeskAction>>,
  renderPreview?: (form: FormData) => string,
) {
  const form = await readForm(request)
  const intent = String(form.get('intent') ?? '')
  const action = Object.hasOwn(actions, intent) ? actions[intent] : undefined
  if (!action || !hasPermission(desk.staff, action.permission)) {
    throw await unknownPage()
  }

  if (renderPreview && form.has('preview')) {
    const previewHtml = renderPreview(form)
    const submittedValues = readSubmittedValues(form)
    return data({ done: false as const, errors: {}, submittedValues, previewHtml })
  }

  if (action.needsRecentSignIn && !(await hasRecentSignIn(desk))) {
    return errorResponse({ confirm: confirmIdentityFirst }, { status: 403, form })
  }

  const { db, staff, now } = desk
  const actionContext = { db, staff, actor: staff.uid, now }
  const result = await action.perform({ ...desk, form, actionContext })
  if (!result.ok) {
    const { problem, field } = result
    return errorResponse(field === undefined ? problem : { [field]: problem }, { form })
  }

  const { outcome, redirectTo } = result.value
  if (redirectTo !== undefined) {
    throw redirect(redirectTo, 303)
  }

  return successResponse({ notice: outcome })
}

/**
 * A desk request with the submitted form and the transaction of the change. The transaction makes
 * the change. Statements on `db` would be stored even if the change failed.
 */
export type DeskChangeRequest = DeskFormRequest & { transaction: Transaction }

/** What a change did. The audit entry and the page have the same `outcome`. */
export type DeskChangeResult = NewAuditEntry & DeskActionResult

/** Returns a desk action that makes a change and writes its audit entry in one transaction. */
export function createDeskAction(
  definition: StaffActionDefinition,
  change: (request: DeskChangeRequest) => Promise<Result<DeskChangeResult>>,
): DeskAction {
  return {
    ...definition,
    perform: (request) =>
      performStaffAction(request.actionContext, definition, (transaction) =>
        change({ ...request, transaction }),
      ),
  }
}

/** Returns the trimmed text of a form field, or an empty text if the form lacks it. */
export function readText({ form }: Pick<DeskFormRequest, 'form'>, name: string): string {
  return String(form.get(name) ?? '').trim()
}

/**
 * Returns the IDs that `CoursesField` sends. Each checked course is one value. The text field has
 * several IDs in one value.
 */
export function readCourseIds({ form }: Pick<DeskFormRequest, 'form'>): string[] {
  return form
    .getAll('courses')
    .join(' ')
    .split(/[\s,]+/)
    .filter(Boolean)
}
