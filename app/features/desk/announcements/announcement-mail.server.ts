/**
 * The emails of an announcement. Each contains the recipient's own link that turns announcements
 * off.
 */
import { eq } from 'drizzle-orm'
import { findUser } from '~/features/accounts/account-queries.server'
import type { Database } from '~/server/database/client.server'
import { announcements, courses } from '~/server/database/schema/index'
import { env } from '~/server/env.server'
import { addEmailFrame } from '~/server/mail/email-layout.server'
import type { Mail } from '~/server/mail/mail.server'
import { plainMailMarkdown, renderMailMarkdown } from '~/server/markdown/mail-markdown.server'
import { getUnsubscribeText } from './announcement-messages'
import { getStopUrl } from './announcement-opt-out.server'

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
