import { sql } from 'drizzle-orm'
import { courseReviewsUrl } from '~/features/reviews/review-messages'
import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import type { Mail } from '~/server/mail/mail.server'
import { composeLetter } from '~/server/mail/mail-letter.server'
import { getStopUrl } from '../announcements/announcement-mail.server'
import { getStopText } from '../announcements/announcement-messages'

type Answered = { email: string; courseId: string; course: string; answer: string }

/**
 * Tells the author of a review about the current answer. The mail goes only to confirmed addresses
 * of learners who get email about their courses.
 *
 * @returns null if there is no answer any more, or the author gets no mail.
 */
export async function composeAnswerMail(
  db: Pick<Database, 'execute'>,
  uid: string,
  reviewId: string,
): Promise<Omit<Mail, 'id'> | null> {
  const { rows } = await db.execute<Answered>(sql`
    select u.email, c.id as "courseId", c.title as course, r.answer
    from reviews r join courses c on c.id = r.course_id join users u on u.id = r.uid
    where r.id = ${reviewId} and r.uid = ${uid} and r.answer is not null and r.hidden_at is null
      and u.email_verified and not u.banned and u.wants_announcements`)
  const [row] = rows
  if (!row) {
    return null
  }

  const href = env.PUBLIC_URL + (await getStopUrl(uid))

  return {
    to: row.email,
    ...composeLetter({
      subject: `Your review of ${row.course} has an answer`,
      before: [`The instructor of ${row.course} answered your review:`, row.answer],
      link: {
        label: 'See it on the course’s page',
        href: env.PUBLIC_URL + courseReviewsUrl(row.courseId),
      },
      after: [],
      stop: { ...getStopText(row.course), href },
    }),
    headers: {
      'List-Unsubscribe': `<${href}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}
