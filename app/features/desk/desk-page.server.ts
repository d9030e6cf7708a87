import type { Recorded } from '~/features/staff/audit.server'
import type { Permission } from '~/features/staff/permissions'
import type { Staff } from '~/features/staff/staff-queries.server'
import type { Database, Transaction } from '~/server/database/client.server'

/** What a page of the desk is made from. */
export type DeskCall = {
  db: Database
  staff: Staff
  /** The member of staff's time zone. */
  timeZone: string
  /** Of the address. */
  params: Readonly<Record<string, string | undefined>>
  search: URLSearchParams
  now: Date
}

export type ActCall = DeskCall & { form: FormData; transaction: Transaction }

/** @returns the trimmed text of a field, or '' without the field. */
export const textOf = ({ form }: Pick<ActCall, 'form'>, name: string) =>
  String(form.get(name) ?? '').trim()

/** The audit entry of an act; its outcome is also what the page says. */
export type Outcome = Recorded & {
  /** The next page, if this one no longer exists for the member of staff. */
  onward?: string
  /**
   * Runs once the change is committed. Throws a `StartError` if what was asked for failed after
   * all.
   */
  after?(): Promise<void>
}

/** A change, recorded in the audit under `name`. */
export type Act = {
  /** As `npm run admin` calls the same. */
  name: string
  permission: Permission
  /** Wants a proof of the last minutes that it is still them: acts on money, people and roles. */
  isSensitive: boolean
  /** Throws a `StartError` with a sentence to refuse. */
  run(call: ActCall): Promise<Outcome>
}

/** An address of the desk. */
export type DeskPage<Data> = {
  /** Below /Desk. */
  path: string
  permission: Permission
  /** @returns null if there is no such thing, or it is none of this member of staff's business. */
  load(call: DeskCall): Promise<Data | null>
  /** Renders the typed text as HTML when the form is sent with its button 'Preview'. */
  preview?(form: FormData): string
  /** By the name that the form sends as `act`. */
  acts: Readonly<Record<string, Act>>
}

/** Infers the data of a page. */
export function deskPage<Data>(
  page: Omit<DeskPage<Data>, 'acts'> & Partial<DeskPage<Data>>,
): DeskPage<Data> {
  return { acts: {}, ...page }
}
