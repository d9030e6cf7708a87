import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { users } from '../database/schema'
import { refusal } from './account-endpoints.server'
import { findUser, sessionUser, type UserRow } from './account-queries.server'
import type { AccountServiceParts } from './account-service-parts.server'
import { findCurrentSession } from './current-session.server'
import { profileFields } from './profile-fields'
import { isSharedDemo } from './shared-demo.server'

const { firstName, lastName, phone, location, timezone } = profileFields
const fields = {
  firstName: z.pipe(z.string(), firstName),
  lastName: z.pipe(z.string(), lastName),
  // A form sends '' for what is empty, a document null.
  phone: z.union([z.null(), z.pipe(z.string(), phone)]),
  location: z.union([z.null(), z.pipe(z.string(), location)]),
  timezone: z.nullable(timezone),
}
/** Everything else of the record is the service's. */
const wholeDocument = z.strictObject(fields)
const partOfDocument = z.partial(z.strictObject({ ...fields, lastLoginAt: z.iso.datetime() }))

/** Read, write and update a user document by uid: always one's own. */
export function userDocumentEndpoints({ db }: AccountServiceParts): BetterAuthPlugin {
  async function change(user: UserRow, changes: Partial<typeof users.$inferInsert>) {
    const firstName = changes.firstName ?? user.firstName
    const lastName = changes.lastName ?? user.lastName
    const set = { ...changes, name: `${firstName} ${lastName}`.trim(), updatedAt: new Date() }
    await db.update(users).set(set).where(eq(users.id, user.id))
  }

  async function ownDocument(ctx: Parameters<typeof findCurrentSession>[0]): Promise<UserRow> {
    const session = await findCurrentSession(ctx)
    if (!session) throw refusal('not-signed-in')
    if (session.user.id !== ctx.params?.uid) throw refusal('forbidden')
    const user = await findUser(db, session.user.id)
    if (!user || user.banned) throw refusal('not-signed-in')
    return user
  }

  return {
    id: 'learnify-user-documents',
    endpoints: {
      readUserDocument: createAuthEndpoint('/users/:uid', { method: 'GET', requireHeaders: true }, async (ctx) =>
        ctx.json({ success: true, user: sessionUser(await ownDocument(ctx)) }),
      ),
      writeUserDocument: createAuthEndpoint(
        '/users/:uid',
        { method: 'PUT', body: wholeDocument, requireHeaders: true },
        async (ctx) => {
          const user = await ownDocument(ctx)
          if (isSharedDemo(user.id)) throw refusal('demo-account')
          await change(user, ctx.body)
          return ctx.json({ success: true })
        },
      ),
      updateUserDocument: createAuthEndpoint(
        '/users/:uid',
        { method: 'PATCH', body: partOfDocument, requireHeaders: true },
        async (ctx) => {
          const user = await ownDocument(ctx)
          const { lastLoginAt, ...changes } = ctx.body
          if (isSharedDemo(user.id) && Object.keys(changes).length > 0) throw refusal('demo-account')
          // A learner may say that they are here now, not that they were or will be.
          await change(user, lastLoginAt ? { ...changes, lastLoginAt: new Date() } : changes)
          return ctx.json({ success: true })
        },
      ),
    },
  }
}
