import { sql } from 'drizzle-orm'
import { courseReviewsUrl } from '~/features/reviews/review-messages'
import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { composeEmail } from '~/server/mail/email-layout.server'
import type { Mail } from '~/server/mail/mail.server'
import { getUnsubscribeText } from '../announcements/announcement-messages'
import { getStopUrl } from '../announcements/announcement-opt-out.server'

type AnsweredReview = { email: string; courseId: string; courseTitle: string; answer: string }

/**
 * Tells the author of a review about the instructor's answer, as it is when the email is sent. The
 * email is only for learners who have confirmed their email address and want announcements.
 *
 * @returns null if the answer was removed, or the author receives no email
 */
export async function composeAnswerMail(
  db: Pick<Database, 'execute'>,
  authorUid: string,
  reviewId: string,
): Promise<Omit<Mail, 'id'> | null> {
  const review = await findAnsweredReview(db, authorUid, reviewId)
  if (review === null) {
    return null
  }

  const { email, courseId, courseTitle, answer } = review
  const stopUrl = env.PUBLIC_URL + (await getStopUrl(authorUid))

  return {
    to: email,
    ...composeEmail({
      subject: `Your review of ${courseTitle} has an answer`,
      beforeLink: [`The instructor of ${courseTitle} answered your review:`, answer],
      link: {
        label: 'See it on the course’s page',
        href: env.PUBLIC_URL + courseReviewsUrl(courseId),
      },
      afterLink: [],
      unsubscribeLink: { ...getUnsubscribeText(courseTitle), href: stopUrl },
    }),
    headers: {
      'List-Unsubscribe': `<${stopUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

async function findAnsweredReview(
  db: Pick<Database, 'execute'>,
  authorUid: string,
  reviewId: string,
): Promise<AnsweredReview | null> {
  const { rows } = await db.execute<AnsweredReview>(sql`
    select u.email,
      c.id as "courseId",
      c.title as "courseTitle",
      r.answer
    from reviews r
      join courses c on c.id = r.course_id
      join users u on u.id = r.uid
    where r.id = ${reviewId}
      and r.uid = ${authorUid}
      and r.answer is not null
      and r.hidden_at is null
      and u.email_verified
      and not u.banned
      and u.wants_announcements`)

  return rows[0] ?? null
}
