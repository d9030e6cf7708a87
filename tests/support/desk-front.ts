import { eq } from 'drizzle-orm'
import type { StaffRole } from '~/features/desk/permissions'
import * as tables from '~/server/database/schema'
import { startProductFront } from './product-front'

const host = 'localhost:3000'
const headers = { Host: host, Origin: `http://${host}`, 'Content-Type': 'application/x-www-form-urlencoded' }

/** The whole product in this process, with people who come and go by their first names. A visitor has no account. */
export async function startDeskFront() {
  const front = await startProductFront({ PUBLIC_URL: `http://${host}`, PORT: '3000' })
  const people = new Map<string, { uid: string; cookie: string }>()
  const withCookie = (name: string) => ({ ...headers, Cookie: people.get(name)?.cookie ?? '' })
  return {
    ...front,
    cookieOf: (name: string) => people.get(name)?.cookie ?? '',
    uidOf: (name: string) => people.get(name)?.uid ?? '',
    /** @param courses of a teacher. */
    async signUp(name: string, role?: StaffRole, courses: readonly string[] = []) {
      const email = `${name}@learnify.example`
      const { headers: answered } = await front.ask('/account/register', {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password: 'Analytical-1843', firstName: name, lastName: 'Byron' }),
      })
      const [user] = await front.db
        .update(tables.users)
        .set({ emailVerified: true })
        .where(eq(tables.users.email, email))
        .returning()
      const uid = user?.id ?? ''
      people.set(name, { uid, cookie: (answered['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ') })
      if (role) await front.db.insert(tables.staff).values({ uid, role })
      for (const courseId of courses) await front.db.insert(tables.staffCourses).values({ uid, courseId })
      return uid
    },
    get: (name: string, address: string) => front.ask(address, { headers: withCookie(name) }),
    post: (name: string, address: string, form: Record<string, string>) =>
      front.ask(address, { method: 'POST', headers: withCookie(name), body: new URLSearchParams(form).toString() }),
    /** The audit, the newest first. */
    acts: async () => (await front.db.select().from(tables.operatorActs).orderBy(tables.operatorActs.at)).reverse(),
  }
}
