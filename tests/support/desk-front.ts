import { eq } from 'drizzle-orm'
import * as tables from '~/server/database/schema'
import type { StaffRole } from '../../app/features/staff/permissions'
import { type RawAnswer, startProductFront } from './product-front'

/** Fields of a form; several of the same name as pairs. */
type Form = Record<string, string> | [name: string, value: string][]

export const password = 'Analytical-1843'
export const emailOf = (name: string) => `${name}@learnify.example`

/**
 * Starts the whole product in this process. Requests name a person by first name; unknown names are
 * visitors.
 *
 * @param settings more environment variables.
 */
export async function startDeskFront(settings: Record<string, string> = {}) {
  const publicUrl = settings.PUBLIC_URL ?? 'http://localhost:3000'
  const front = await startProductFront({ PUBLIC_URL: publicUrl, PORT: '3000', ...settings })
  const headers = {
    Host: new URL(publicUrl).host,
    Origin: publicUrl,
    'Content-Type': 'application/x-www-form-urlencoded',
  }
  const json = { ...headers, 'Content-Type': 'application/json' }
  const uids = new Map<string, string>()
  const cookies = new Map<string, string>()
  const cookieOf = (name: string) => cookies.get(name) ?? ''
  const withCookie = (name: string) => ({ ...headers, Cookie: cookieOf(name) })

  /** Calls the account service in a person's browser, which stores the cookies. */
  async function callAccounts(name: string, address: string, data: object): Promise<RawAnswer> {
    const answer = await front.ask(address, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(data),
    })

    cookies.set(
      name,
      (answer.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; '),
    )
    return answer
  }

  return {
    ...front,
    headers,
    cookieOf,
    uidOf: (name: string) => uids.get(name) ?? '',
    /** @param courses a teacher's courses. */
    async signUp(name: string, role?: StaffRole, courses: readonly string[] = []) {
      const email = emailOf(name)
      await callAccounts(name, '/account/register', {
        email,
        password,
        firstName: name,
        lastName: 'Byron',
      })
      const [user] = await front.db
        .update(tables.users)
        .set({ emailVerified: true })
        .where(eq(tables.users.email, email))
        .returning()
      const uid = user?.id ?? ''
      uids.set(name, uid)
      if (role) {
        await front.db.insert(tables.staff).values({ uid, role })
      }

      for (const courseId of courses) {
        await front.db.insert(tables.staffCourses).values({ uid, courseId })
      }

      return uid
    },
    signIn: (name: string) =>
      callAccounts(name, '/account/login', { email: emailOf(name), password }),
    get: (name: string, address: string) => front.ask(address, { headers: withCookie(name) }),
    post: (name: string, address: string, form: Form) =>
      front.ask(address, {
        method: 'POST',
        headers: withCookie(name),
        body: new URLSearchParams(form).toString(),
      }),
    /** The audit, newest first. */
    acts: async () =>
      (await front.db.select().from(tables.operatorActs).orderBy(tables.operatorActs.at)).reverse(),
  }
}

export type DeskFront = Awaited<ReturnType<typeof startDeskFront>>
