import { eq, sql } from 'drizzle-orm'
import { examQuestionId, questionId } from '~/features/learning/progress/question-id.server'
import { formatDecimal } from '~/features/school/money'
import { hasPermission } from '~/features/staff/permissions'
import { findOffer, type Offer } from '~/server/content/course-offers.server'
import type { Database } from '~/server/database/client.server'
import { deskCourses, type QuestionFigures } from '~/server/database/schema'
import { siteCurrency } from '~/server/site/site.server'
import { type DeskAction, type SubmittedForm, textOf } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { findCountedAt } from '../figures.server'
import {
  describeShownPrice,
  describeShownStatus,
  followFilePrice,
  formatOfferPrice,
  priceCourse,
  publishCourse,
} from './course-actions.server'
import { seesCourse } from './own-courses.server'

/** A lesson's place in the course, and how many began and finished it. */
export type FunnelStep = { id: string; title: string; begun: number; done: number }
export type HardQuestion = { id: string; text: string; lesson: string; missed: number }
export type StuckLearner = {
  uid: string
  name: string
  lastAccessedAt: string
  doneLessons: number
  totalLessons: number
}

function getCourseInput(request: SubmittedForm, shownField: 'shown' | 'shownPrice') {
  return { courseId: request.params.course ?? '', shown: textOf(request, shownField) }
}

/** @param isPublished null returns to what the course's file says */
function publishAction(isPublished: boolean | null): DeskAction {
  return {
    permission: 'change courses',
    isSensitive: false,
    perform: (request) =>
      publishCourse(request.actionContext, getCourseInput(request, 'shown'), isPublished),
  }
}

export const courseActions = {
  publish: publishAction(true),
  withdraw: publishAction(false),
  'publish-as-file': publishAction(null),
  price: {
    permission: 'change courses',
    isSensitive: true,
    perform: (request) =>
      priceCourse(request.actionContext, getCourseInput(request, 'shownPrice'), {
        price: textOf(request, 'price'),
        sale: textOf(request, 'sale'),
        until: textOf(request, 'until'),
      }),
  },
  'price-as-file': {
    permission: 'change courses',
    isSensitive: true,
    perform: (request) =>
      followFilePrice(request.actionContext, getCourseInput(request, 'shownPrice')),
  },
} satisfies Record<string, DeskAction>

export async function loadCoursePage({ db, staff, params }: DeskRequest) {
  const id = params.course ?? ''
  if (!seesCourse(staff, id)) {
    return null
  }

  const { rows } = await db.execute<{
    id: string
    title: string
    published: boolean
    rating: number | null
  }>(sql`
    select c.id, c.title, c.published, s.rating::float8 as rating
    from courses c left join course_search s on s.course_id = c.id where c.id = ${id}`)
  const [course] = rows
  if (!course) {
    return null
  }

  const [[counted], countedAt, lessons, stuck, offer] = await Promise.all([
    db.select().from(deskCourses).where(eq(deskCourses.courseId, id)),
    findCountedAt(db),
    listLessons(db, id),
    listStuck(db, id),
    hasPermission(staff, 'change courses') ? findOffer(db, id) : null,
  ])
  const byId = new Map((counted?.lessons ?? []).map((lesson) => [lesson.id, lesson]))
  const funnel = lessons.map(({ id, title }): FunnelStep => {
    const { begun = 0, done = 0 } = byId.get(id) ?? {}
    return { id, title, begun, done }
  })
  const {
    learners = 0,
    active = 0,
    completed = 0,
    certificates = 0,
    revenueMinor = 0,
  } = counted ?? {}

  return {
    course,
    countedAt,
    figures: { learners, active, completed, certificates },
    revenue: hasPermission(staff, 'see revenue')
      ? { minor: revenueMinor, currency: siteCurrency() }
      : null,
    offer: offer && shownOffer(offer),
    funnel,
    hardest: await nameQuestions(db, id, lessons, counted?.questions ?? []),
    stuck,
  }
}

/** The offer with amounts as the form shows them. */
function shownOffer(offer: Offer) {
  const { priceMinor, originalPriceMinor, priceUntil, ...states } = offer
  const amount = (minor: number) => formatDecimal(minor, siteCurrency())

  return {
    ...states,
    shown: describeShownStatus(offer),
    shownPrice: describeShownPrice(offer),
    text: formatOfferPrice(offer),
    price: amount(originalPriceMinor),
    sale: priceMinor === originalPriceMinor ? '' : amount(priceMinor),
    until: priceUntil ?? '',
    currency: siteCurrency(),
  }
}

type Lesson = { id: string; title: string; questions: string[] }

async function listLessons(db: Database, courseId: string): Promise<Lesson[]> {
  const { rows } = await db.execute<Lesson>(sql`
    select l.id, l.title,
      (select coalesce(json_agg(q ->> 'question'), '[]') from jsonb_array_elements(s.questions) q) as questions
    from counting_lessons l join course_lessons s on s.course_id = l.course_id and s.id = l.id
    where l.course_id = ${courseId} order by l.position, l.id`)

  return rows
}

/** The texts of questions; those that left the course are left out. */
async function nameQuestions(
  db: Database,
  courseId: string,
  lessons: readonly Lesson[],
  counted: readonly QuestionFigures[],
): Promise<HardQuestion[]> {
  if (counted.length === 0) {
    return []
  }

  const { rows: pool } = await db.execute<{ id: string; prompt: string }>(sql`
    select q ->> 'id' as id, q ->> 'prompt' as prompt from exams, jsonb_array_elements(questions) q
    where course_id = ${courseId}`)
  const texts = new Map([
    ...lessons.flatMap(({ title, questions }) =>
      questions.map((text) => [questionId(text), { text, lesson: title }] as const),
    ),
    ...pool.map(
      ({ id, prompt }) => [examQuestionId(id), { text: prompt, lesson: 'Exam' }] as const,
    ),
  ])

  return counted.flatMap(({ id, missed }) => {
    const found = texts.get(id)
    return found ? [{ id, missed, ...found }] : []
  })
}

/** Some of those who were stuck at the last count, and still are enrolled. */
async function listStuck(db: Database, courseId: string): Promise<StuckLearner[]> {
  const { rows } = await db.execute<StuckLearner>(sql`
    select e.uid, u.name, e.last_accessed_at::text as "lastAccessedAt", p.done_lessons as "doneLessons",
      p.total_lessons as "totalLessons"
    from desk_courses d, unnest(d.stuck) s (uid)
      join enrollments e on e.uid = s.uid and e.course_id = ${courseId}
      join users u on u.id = e.uid join course_progress p on p.uid = e.uid and p.course_id = e.course_id
    where d.course_id = ${courseId} and e.completed_at is null
    order by e.last_accessed_at desc, e.uid`)

  return rows
}

export type CoursePageData = NonNullable<Awaited<ReturnType<typeof loadCoursePage>>>
