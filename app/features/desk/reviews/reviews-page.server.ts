import { sql } from 'drizzle-orm'
import { StartError } from '~/server/env.server'
import { type Act, type ActCall, deskPage } from '../desk-page.server'
import { cursorTime, cutPage, isAfter, pageRows, readCursor } from '../list-pages.server'
import { moderateReview } from './review-acts.server'

export type ReviewRow = {
  id: string
  courseId: string
  courseTitle: string
  uid: string
  name: string
  rating: number
  comment: string | null
  hidden: boolean
  hiddenReason: string | null
  cursorAt: string
}

const textOf = ({ form }: ActCall, name: string) => String(form.get(name) ?? '').trim()
const placeOf = (call: ActCall) => ({ courseId: textOf(call, 'course'), name: textOf(call, 'review') })

const acts = {
  hide: {
    name: 'review hide',
    permission: 'moderate reviews',
    isSensitive: false,
    async run(call) {
      const reason = textOf(call, 'reason')
      if (!reason) throw new StartError('Give a reason: its author reads it.')
      return moderateReview(call.transaction, placeOf(call), reason)
    },
  },
  show: {
    name: 'review show',
    permission: 'moderate reviews',
    isSensitive: false,
    run: (call) => moderateReview(call.transaction, placeOf(call), null),
  },
} satisfies Record<string, Act>

/** Learners' reviews of all courses, the newest first. Those that came with a course's files are changed there. */
export const reviewsPage = deskPage({
  path: 'Reviews',
  permission: 'moderate reviews',
  acts,
  async load({ db, search }) {
    const state = search.get('state') ?? ''
    const course = (search.get('course') ?? '').trim().slice(0, 200)
    const wanted = [
      sql`r.removed_at is null`,
      isAfter(readCursor(search), sql`r.created_at`, sql`r.id`),
      course && sql`r.course_id = ${course}`,
      state === 'hidden' && sql`r.hidden_at is not null`,
      state === 'low' && sql`r.rating <= 2`,
    ].filter((condition) => typeof condition === 'object')
    const { rows } = await db.execute<ReviewRow>(sql`
      with page as materialized (
        select r.* from reviews r where ${sql.join(wanted, sql` and `)}
        order by r.created_at desc, r.id desc limit ${pageRows + 1})
      select r.id, r.course_id as "courseId", c.title as "courseTitle", r.uid, u.name, r.rating, r.comment,
        r.hidden_at is not null as hidden, r.hidden_reason as "hiddenReason", ${cursorTime(sql`r.created_at`)} as "cursorAt"
      from page r join courses c on c.id = r.course_id join users u on u.id = r.uid
      order by r.created_at desc, r.id desc`)
    return { filter: { state, course }, ...cutPage(rows) }
  },
})
