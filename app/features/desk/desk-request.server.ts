/**
 * Decides who may open which page of the desk.
 *
 * The desk exists for staff only. For everyone else, and for a page that a role may not see, each
 * path below /Desk responds like a path that does not exist. The layout route's middleware looks up
 * who sent the request. A page's loader and route action get the database and the member of staff
 * from `requireDesk`, which checks the permission, so that no page can forget the check.
 */
import {
  createContext,
  data,
  type MiddlewareFunction,
  type RouterContextProvider,
} from 'react-router'
import { requireName } from '~/features/accounts/session/require-learner.server'
import { requireTwoFactorSetup } from '~/features/accounts/two-factor/required-two-factor.server'
import { getHome } from '~/features/home/home-queries.server'
import { hasPermission, type Permission } from '~/features/staff/permissions'
import type { StaffMember } from '~/features/staff/staff-queries.server'
import { findSignedInPerson, type SignedInPerson } from '~/features/staff/staff-session.server'
import { type Database, db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { refuseInMaintenance } from '~/server/http/maintenance.server'
import { isParam } from '~/server/http/route-params.server'

export type SignedInStaff = SignedInPerson & { staff: StaffMember }

/**
 * The member of staff who sent the request. Null for a visitor, and for a learner without a role.
 */
const staffContext = createContext<SignedInStaff | null>(null)

/**
 * Looks up the member of staff who sent the request.
 *
 * @throws a redirect if they first have to set up two-step sign-in or to give their name
 */
export const identifyStaff: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  refuseInMaintenance()

  const person = await findSignedInPerson(request)
  if (!person?.staff) {
    return
  }

  await requireTwoFactorSetup(db, person.user.id, request)
  requireName(person.user.name, { request, url })
  context.set(staffContext, { ...person, staff: person.staff })
}

/**
 * The request of a desk page's loader or route action, by a member of staff with the page's
 * permission.
 */
export type DeskRequest = {
  db: Database
  staff: StaffMember
  /** The member of staff's session, for `hasRecentSignIn`. */
  session: SignedInPerson['session']
  /** The member of staff's time zone. */
  timeZone: string
  /** The parameters of the URL's path. */
  params: Readonly<Record<string, string | undefined>>
  /** The parameters of the URL's query. */
  search: URLSearchParams
  now: Date
}

type RouteArguments = {
  context: Readonly<RouterContextProvider>
  params: Readonly<Record<string, string | undefined>>
  url: URL
}

/** @throws 404 with Home, unless a member of staff with this permission sent the request */
export async function requireDesk(
  { context, params, url }: RouteArguments,
  permission: Permission,
): Promise<DeskRequest> {
  const { user, staff, session } = await requireStaff(context)

  const hasReadableParams = Object.values(params).every((value) => isParam(value ?? null))
  if (!hasReadableParams || !hasPermission(staff, permission)) {
    throw await unknownPage()
  }

  const now = await databaseTime(db)
  const timeZone = user.displayTimezone

  return { db, staff, session, timeZone, params, search: url.searchParams, now }
}

/** @throws 404 with Home, unless a member of staff sent the request */
export async function requireStaff(
  context: Readonly<RouterContextProvider>,
): Promise<SignedInStaff> {
  const signedInStaff = findSignedInStaff(context)
  if (signedInStaff === null) {
    throw await unknownPage()
  }

  return signedInStaff
}

/** Returns the member of staff who sent the request, or null if somebody else has sent it. */
export function findSignedInStaff(context: Readonly<RouterContextProvider>): SignedInStaff | null {
  return context.get(staffContext)
}

/**
 * @throws 404 with Home if the page has no data, because there is no such course, order and so on
 */
export async function requirePageData<Data>(pageData: Data | null): Promise<Data> {
  if (pageData === null) {
    throw await unknownPage()
  }

  return pageData
}

/** Returns the response of an unknown path: Home with 404, which `UnknownPageBoundary` shows. */
export async function unknownPage() {
  return data({ home: await getHome(db) }, { status: 404 })
}

/**
 * Responds like an unknown path. It is the route action of each page without forms. Without a route
 * action, React Router would respond with 405 to everyone, and so reveal that the page exists.
 */
export async function respondUnknownPage(): Promise<never> {
  throw await unknownPage()
}
