import { eq } from 'drizzle-orm'
import { findUser } from '~/features/accounts/account-queries.server'
import type { Database, Statements } from '~/server/database/client.server'
import { announcements, courses, users } from '~/server/database/schema/index'
import { env } from '~/server/env.server'
import type { Mail } from '~/server/mail/mail.server'
import { frameLetter } from '~/server/mail/mail-letter.server'
import { plainMailMarkdown, renderMailMarkdown } from '~/server/markdown/mail-markdown.server'
import { isSigned, sign } from '~/server/operations/secrets.server'
import { stopAnnouncements } from './announcement-messages'

const purpose = 'stop-announcements'

/**
 * The address that stops announcements with one click, also for the mail program's button. It never
 * expires.
 */
export async function stopAddress(uid: string): Promise<string> {
  const key = await sign(purpose, [uid])
  // Reminders have the same page.
  return `/StopReminders?${new URLSearchParams({ mails: 'announcements', learner: uid, key })}`
}

/** @returns the uid in an address that stops announcements, or null if the signature is wrong. */
export async function learnerOfStopAddress(parameters: URLSearchParams): Promise<string | null> {
  const [uid, key] = [parameters.get('learner') ?? '', parameters.get('key') ?? '']
  return (await isSigned(purpose, [uid], key)) ? uid : null
}

export async function findAnnouncementChoice(
  db: Pick<Database, 'select'>,
  uid: string,
): Promise<boolean> {
  const [user] = await db
    .select({ wants: users.wantsAnnouncements })
    .from(users)
    .where(eq(users.id, uid))
  return user?.wants ?? false
}

export async function recordAnnouncementChoice(
  db: Pick<Statements, 'update'>,
  uid: string,
  wants: boolean,
): Promise<void> {
  await db.update(users).set({ wantsAnnouncements: wants }).where(eq(users.id, uid))
}

export type Recipient = { uid: string; email: string }
export type Compose = (recipient: Recipient) => Promise<Omit<Mail, 'id'>>

/** Renders an announcement once. Each recipient's mail then gets its own link to stop them. */
export async function announcementComposer(
  db: Pick<Database, 'select'>,
  id: string,
): Promise<Compose | null> {
  const [row] = await db
    .select({ subject: announcements.subject, body: announcements.body, course: courses.title })
    .from(announcements)
    .leftJoin(courses, eq(courses.id, announcements.courseId))
    .where(eq(announcements.id, id))

  if (!row) {
    return null
  }

  const body = {
    html: renderMailMarkdown(row.body, env.PUBLIC_URL),
    text: plainMailMarkdown(row.body, env.PUBLIC_URL),
  }

  return async ({ uid, email }) => {
    const href = env.PUBLIC_URL + (await stopAddress(uid))
    return {
      to: email,
      ...frameLetter(row.subject, body, { ...stopAnnouncements(row.course), href }),
      headers: {
        'List-Unsubscribe': `<${href}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }
  }
}

/**
 * The mail as it would be sent, to its author.
 *
 * @returns null if the announcement was deleted meanwhile.
 */
export async function composeTest(
  db: Database,
  uid: string,
  id: string,
): Promise<Omit<Mail, 'id'> | null> {
  const [user, compose] = await Promise.all([findUser(db, uid), announcementComposer(db, id)])
  return user && compose ? compose({ uid, email: user.email }) : null
}
