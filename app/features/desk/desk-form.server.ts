import { data, redirect } from 'react-router'
import { type AuditRecord, audited } from '~/features/staff/audit.server'
import { hasPermission, type Permission } from '~/features/staff/permissions'
import { hasRecentSignIn } from '~/features/staff/staff-session.server'
import type { Transaction } from '~/server/database/client.server'
import { StartError } from '~/server/env.server'
import { done, refuse, typedIn } from '~/server/http/action-result.server'
import { readForm } from '~/server/http/request-body.server'
import { type DeskRequest, unknownPage } from './desk-request.server'

export type DeskActionRequest = DeskRequest & { form: FormData; transaction: Transaction }

/** What a staff action did: its audit entry, whose `outcome` is also what the page says. */
export type ActionOutcome = AuditRecord & {
  /** The next page, if this one no longer exists for the member of staff. */
  onward?: string
  /** Work that waits until the change is committed. */
  after?(): Promise<void>
}

/** One of the changes that a desk page offers. */
export type DeskAction = {
  /** The action's name in the audit log, like 'orders refund'. */
  name: string
  permission: Permission
  /** Actions on money, people and roles need a recent sign-in. */
  isSensitive: boolean
  run(request: DeskActionRequest): Promise<ActionOutcome>
}

/** Returns the trimmed text of a form field, or an empty text if the form lacks it. */
export function textOf({ form }: Pick<DeskActionRequest, 'form'>, name: string): string {
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
    return data({ done: false as const, errors: {}, typed: typedIn(form), preview })
  }

  if (action.isSensitive && !(await hasRecentSignIn(desk))) {
    return refuse({ confirm: confirmFirst }, { status: 403, form })
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

    return done({ notice: outcome })
  } catch (error) {
    if (!(error instanceof StartError)) {
      throw error
    }

    return refuse(error.message, { form })
  }
}
