/**
 * Learners turn announcements off in their settings, or with the link in each announcement.
 *
 * The link is signed, works without signing in, and never expires. Email programs can open it for
 * their own unsubscribe button (RFC 8058).
 */
import { eq } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { users } from '~/server/database/schema'
import { successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { isValidSignature, sign } from '~/server/operations/secrets.server'

const signaturePurpose = 'stop-announcements'

/** Returns the path of the page that turns announcements off for the learner. */
export async function getStopUrl(uid: string): Promise<string> {
  const key = await sign(signaturePurpose, [uid])
  // The same page stops reminders, so the URL says which emails it is about.
  return `/StopReminders?${new URLSearchParams({ mails: 'announcements', learner: uid, key })}`
}

/** Returns the uid in the query of a stop URL, or null if its signature is wrong. */
export async function verifyAnnouncementStopLink(query: URLSearchParams): Promise<string | null> {
  const uid = query.get('learner') ?? ''
  const key = query.get('key') ?? ''
  return (await isValidSignature(signaturePurpose, [uid], key)) ? uid : null
}

/** Tells whether the learner wants announcements. */
export async function findAnnouncementChoice(
  db: Pick<Database, 'select'>,
  uid: string,
): Promise<boolean> {
  const [user] = await db
    .select({ wantsAnnouncements: users.wantsAnnouncements })
    .from(users)
    .where(eq(users.id, uid))
  return user?.wantsAnnouncements ?? false
}

export async function recordAnnouncementChoice(
  db: Pick<Statements, 'update'>,
  uid: string,
  wantsAnnouncements: boolean,
): Promise<void> {
  await db.update(users).set({ wantsAnnouncements }).where(eq(users.id, uid))
}

/** Handles the form in a learner's settings that turns announcements on or off. */
export async function saveAnnouncementChoice(db: Database, uid: string, request: Request) {
  const form = await readForm(request)
  await recordAnnouncementChoice(db, uid, form.get('announcements') === 'on')
  return successResponse()
}
