/**
 * The emails of an announcement, and the link in each of them that turns announcements off.
 *
 * The link is signed, works without signing in, and never expires. Email programs can open it for
 * their own unsubscribe button (RFC 8058).
 */
import { eq } from 'drizzle-orm'
import { findUser } from '~/features/accounts/account-queries.server'
import type { Database, Statements } from '~/server/database/client.server'
import { announcements, courses, users } from '~/server/database/schema/index'
import { env } from '~/server/env.server'
import { successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { addEmailFrame } from '~/server/mail/email-layout.server'
import type { Mail } from '~/server/mail/mail.server'
import { plainMailMarkdown, renderMailMarkdown } from '~/server/markdown/mail-markdown.server'
import { isValidSignature, sign } from '~/server/operations/secrets.server'
import { getUnsubscribeText } from './announcement-messages'

export type Recipient = { uid: string; email: string }

type AnnouncementEmail = Omit<Mail, 'id'>
export type EmailComposer = (recipient: Recipient) => Promise<AnnouncementEmail>

/**
 * Renders the text of an announcement once, and returns a function that composes the email of each
 * recipient.
 *
 * @returns null if there is no such announcement
 */
export async function createAnnouncementComposer(
  db: Pick<Database, 'select'>,
  announcementId: string,
): Promise<EmailComposer | null> {
  const [announcement] = await db
    .select({
      subject: announcements.subject,
      body: announcements.body,
      courseTitle: courses.title,
    })
    .from(announcements)
    .leftJoin(courses, eq(courses.id, announcements.courseId))
    .where(eq(announcements.id, announcementId))
  if (!announcement) {
    return null
  }

  const { subject, courseTitle } = announcement
  const body = {
    html: renderMailMarkdown(announcement.body, env.PUBLIC_URL),
    text: plainMailMarkdown(announcement.body, env.PUBLIC_URL),
  }

  return async ({ uid, email }) => {
    const href = env.PUBLIC_URL + (await getStopUrl(uid))
    return {
      to: email,
      ...addEmailFrame(subject, body, { ...getUnsubscribeText(courseTitle), href }),
      headers: {
        'List-Unsubscribe': `<${href}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }
  }
}

/**
 * Composes an announcement as it would be sent, for a test to a member of staff.
 *
 * @returns null if the announcement or the account has been deleted
 */
export async function composeTestEmail(
  db: Database,
  staffUid: string,
  announcementId: string,
): Promise<AnnouncementEmail | null> {
  const [user, compose] = await Promise.all([
    findUser(db, staffUid),
    createAnnouncementComposer(db, announcementId),
  ])

  return user && compose ? compose({ uid: staffUid, email: user.email }) : null
}

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
