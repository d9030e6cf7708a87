import { eq } from 'drizzle-orm'
import * as tables from '~/server/database/schema'
import type { StaffRole } from '../../app/features/staff/permissions'
import { type RawResponse, startProductServer } from './product-server'

/** The fields of a form. A form with several fields of the same name is a list of pairs. */
type Form = Record<string, string> | [name: string, value: string][]

export const deskPassword = 'Analytical-1843'

export function deskEmail(name: string): string {
  return `${name}@learnify.example`
}

/**
 * Starts the whole product in this process. Requests name a person by their first name. A name that
 * has not signed up is a visitor.
 *
 * @param settings environment variables to add
 */
export async function startDeskServer(settings: Record<string, string> = {}) {
  const publicUrl = settings.PUBLIC_URL ?? 'http://localhost:3000'
  const server = await startProductServer({ PUBLIC_URL: publicUrl, PORT: '3000', ...settings })
  const headers = {
    Host: new URL(publicUrl).host,
    Origin: publicUrl,
    'Content-Type': 'application/x-www-form-urlencoded',
  }
  const jsonHeaders = { ...headers, 'Content-Type': 'application/json' }
  const uids = new Map<string, string>()
  const cookies = new Map<string, string>()
  const getCookie = (name: string) => cookies.get(name) ?? ''
  const createHeaders = (name: string) => ({ ...headers, Cookie: getCookie(name) })

  /** Calls the account service from a person's browser, which stores the cookies. */
  async function callAccounts(name: string, path: string, data: object): Promise<RawResponse> {
    const response = await server.request(path, {
      method: 'POST',
      headers: jsonHeaders,
      body: JSON.stringify(data),
    })

    const setCookies = response.headers['set-cookie'] ?? []
    cookies.set(name, setCookies.map((cookie) => cookie.split(';')[0]).join('; '))
    return response
  }

  return {
    ...server,
    headers,
    getCookie,
    getUid: (name: string) => uids.get(name) ?? '',
    /** @param courses the IDs of a teacher's courses */
    async signUp(name: string, role?: StaffRole, courses: readonly string[] = []) {
      const email = deskEmail(name)
      await callAccounts(name, '/account/register', {
        email,
        password: deskPassword,
        firstName: name,
        lastName: 'Byron',
      })

      const [user] = await server.db
        .update(tables.users)
        .set({ emailVerified: true })
        .where(eq(tables.users.email, email))
        .returning()
      if (!user) {
        throw new Error(`${name} could not sign up.`)
      }

      const uid = user.id
      uids.set(name, uid)
      if (role) {
        await server.db.insert(tables.staff).values({ uid, role })
      }

      for (const courseId of courses) {
        await server.db.insert(tables.staffCourses).values({ uid, courseId })
      }

      return uid
    },
    signIn: (name: string) =>
      callAccounts(name, '/account/login', { email: deskEmail(name), password: deskPassword }),
    get: (name: string, path: string) => server.request(path, { headers: createHeaders(name) }),
    post: (name: string, path: string, form: Form) =>
      server.request(path, {
        method: 'POST',
        headers: createHeaders(name),
        body: new URLSearchParams(form).toString(),
      }),
    /** Lists the entries of the audit, newest first. */
    async listAuditEntries() {
      const entries = await server.db
        .select()
        .from(tables.operatorActs)
        .orderBy(tables.operatorActs.at)

      return entries.reverse()
    },
  }
}

export type DeskServer = Awaited<ReturnType<typeof startDeskServer>>
