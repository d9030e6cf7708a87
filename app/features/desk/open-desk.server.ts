import { data, matchPath, redirect } from 'react-router'
import { demandRequiredTwoFactor } from '~/features/accounts/two-factor/required-two-factor.server'
import { audited } from '~/features/staff/audit.server'
import { findVisitor, isStillThem, type Visitor } from '~/features/staff/desk-access.server'
import { may, type Permission, type StaffRole } from '~/features/staff/permissions'
import type { Staff } from '~/features/staff/staff-queries.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { StartError } from '~/server/env.server'
import { done, refuse, typedIn } from '~/server/http/action-result.server'
import { readForm } from '~/server/http/request-body.server'
import { nameRoute } from '~/server/http/request-trace.server'
import { isParam } from '~/server/http/route-params.server'
import type { DeskCall, DeskPage } from './desk-page.server'
import { type DataOf, type DeskPageName, deskPages } from './desk-pages.server'

type ShownPage = { [Name in DeskPageName]: { name: Name; data: DataOf<Name> } }[DeskPageName]

/** The member of staff who looks. */
type DeskUser = {
  uid: string
  role: StaffRole
  timeZone: string
  /** The links of the desk. */
  sections: { to: string; label: string }[]
}

export type DeskScreen = {
  shown: ShownPage
  me: DeskUser
}

type Opened = { name: DeskPageName; page: DeskPage<object>; call: DeskCall; visitor: Visitor }

/** @returns null for an address that does not exist for this visitor. */
async function openPage(request: Request, url: URL): Promise<Opened | null> {
  const found = findPage(url.pathname)
  if (!found) {
    return null
  }

  const visitor = await findVisitor(request)
  if (!visitor?.staff) {
    return null
  }

  await demandRequiredTwoFactor(db, visitor.user.id, request)
  if (!may(visitor.staff, found.page.permission)) {
    // The account menu leads everybody to the same address.
    if (found.name === 'today') {
      throw redirect(firstPageOf(visitor.staff))
    }

    return null
  }

  nameRoute(`/Desk/${found.page.path}`)
  const { staff, user } = visitor
  const now = await databaseTime(db)
  const call = {
    db,
    staff,
    timeZone: user.displayTimezone,
    params: found.params,
    search: url.searchParams,
    now,
  }

  return { ...found, visitor, call }
}

function findPage(pathname: string) {
  for (const [name, page] of Object.entries(deskPages)) {
    const match = matchPath(`/Desk/${page.path}`, pathname)
    if (match && Object.values(match.params).every((value) => isParam(value ?? null))) {
      return { name: name as DeskPageName, page: page as DeskPage<object>, params: match.params }
    }
  }

  return null
}

/** @returns null for an address that does not exist for this visitor. */
export async function loadDesk(request: Request, url: URL): Promise<DeskScreen | null> {
  const opened = await openPage(request, url)
  const loaded = opened && (await opened.page.load(opened.call))
  if (!loaded) {
    return null
  }

  const { name, call } = opened
  const { uid, role } = call.staff
  const me = { uid, role, timeZone: call.timeZone, sections: sectionsOf(call.staff) }

  return { shown: { name, data: loaded } as ShownPage, me }
}

/** Performs the act that the form names. @returns null if it does not exist for this visitor. */
export async function actAtDesk(request: Request, url: URL) {
  const opened = await openPage(request, url)
  if (!opened) {
    return null
  }

  const { page, call, visitor } = opened
  const form = await readForm(request)
  const name = String(form.get('act') ?? '')
  const act = Object.hasOwn(page.acts, name) ? page.acts[name] : undefined
  if (!act || !may(call.staff, act.permission)) {
    return null
  }

  if (page.preview && form.has('preview')) {
    return data({
      done: false as const,
      errors: {},
      typed: typedIn(form),
      preview: page.preview(form),
    })
  }

  if (act.isSensitive && !(await isStillThem(visitor))) {
    return refuse({ confirm: confirmFirst }, { status: 403, form })
  }

  try {
    const actor = { by: call.staff.uid, act: act.name }
    const { outcome, after, onward } = await audited(db, actor, (transaction) =>
      act.run({ ...call, form, transaction }),
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

const confirmFirst =
  'First confirm in a new tab that it’s you. What you typed stays here: then send it again.'

const sections: { to: string; label: string; permission: Permission }[] = [
  { to: '/Desk', label: 'Today', permission: 'see the school' },
  { to: '/Desk/People', label: 'People', permission: 'see people' },
  { to: '/Desk/Courses', label: 'Courses', permission: 'see courses' },
  { to: '/Desk/Announcements', label: 'Announcements', permission: 'announce' },
  { to: '/Desk/Orders', label: 'Orders', permission: 'see orders' },
  { to: '/Desk/Coupons', label: 'Coupons', permission: 'run coupons' },
  { to: '/Desk/Gifts', label: 'Gifts', permission: 'see orders' },
  { to: '/Desk/Reviews', label: 'Reviews', permission: 'answer reviews' },
  { to: '/Desk/Staff', label: 'Staff', permission: 'run the staff' },
  { to: '/Desk/Site', label: 'Site', permission: 'run the site' },
  { to: '/Desk/Audit', label: 'Audit', permission: 'see the audit' },
]

function sectionsOf(staff: Staff): DeskUser['sections'] {
  return sections
    .filter(({ permission }) => may(staff, permission))
    .map(({ to, label }) => ({ to, label }))
}

function firstPageOf(staff: Staff): string {
  return sectionsOf(staff)[0]?.to ?? '/Desk'
}
