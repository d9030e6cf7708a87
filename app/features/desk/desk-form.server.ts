import { data, redirect } from 'react-router'
import { type AuditRecord, audited } from '~/features/staff/audit.server'
import { hasPermission, type StaffActionDefinition } from '~/features/staff/permissions'
import type { ActionContext } from '~/features/staff/staff-action.server'
import { hasRecentSignIn } from '~/features/staff/staff-session.server'
import type { Transaction } from '~/server/database/client.server'
import { StartError } from '~/server/env.server'
import {
  errorResponse,
  readSubmittedValues,
  successResponse,
} from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import type { Result } from '~/server/result'
import { type DeskRequest, unknownPage } from './desk-request.server'

export type DeskActionRequest = DeskRequest & { form: FormData; transaction: Transaction }

/** What a staff action did: its audit entry, whose `outcome` is also what the page says. */
export type ActionOutcome = AuditRecord & {
  /** The next page, if this one no longer exists for the member of staff. */
  onward?: string
  /** Work that waits until the change is committed. */
  after?(): Promise<void>
}

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
export type PerformedDeskAction = Pick<StaffActionDefinition, 'permission' | 'isSensitive'> & {
  perform(submitted: SubmittedForm): Promise<Result<PerformedAction>>
}

/** A change that a desk page offers, made in a transaction of the desk. */
export type TransactionDeskAction = StaffActionDefinition & {
  run(request: DeskActionRequest): Promise<ActionOutcome>
}

export type DeskAction = PerformedDeskAction | TransactionDeskAction

/** Returns the trimmed text of a form field, or an empty text if the form lacks it. */
export function textOf({ form }: { form: FormData }, name: string): string {
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

  if ('perform' in action) {
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

  const actor = { by: desk.staff.uid, act: action.name }
  try {
    const { outcome, after, onward } = await audited(desk.db, actor, (transaction) =>
      action.run({ ...desk, form, transaction }),
    )
    await after?.()
    if (onward !== undefined) {
      throw redirect(onward, 303)
    }

    return successResponse({ notice: outcome })
  } catch (error) {
    if (!(error instanceof StartError)) {
      throw error
    }

    return errorResponse(error.message, { form })
  }
}
