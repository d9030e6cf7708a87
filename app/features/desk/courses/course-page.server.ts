/** The page of a course: the actions that publish and price it, and its figures. */
import { eq, sql } from 'drizzle-orm'
import {
  changePublication,
  formatOfferPrice,
  getPriceFingerprint,
  getPublicationFingerprint,
  type PublicationChange,
  resetPriceToFile,
  setPrice,
} from '~/features/catalog/course-actions.server'
import { findOffer, type Offer } from '~/features/courses/course-offers.server'
import { getLastOpenedAt } from '~/features/enrollment/enrollment-queries.server'
import { examQuestionId, questionId } from '~/features/learning/progress/question-id.server'
import { formatDecimal } from '~/features/school/money'
import { hasPermission } from '~/features/staff/permissions'
import { canSeeCourse } from '~/features/staff/visible-courses.server'
import type { Database } from '~/server/database/client.server'
import { deskCourses, type LessonFigures, type QuestionFigures } from '~/server/database/schema'
import { writeFormulasAsText } from '~/server/markdown/formula-text.server'
import { siteCurrency } from '~/server/site/site.server'
import { type DeskAction, type DeskFormRequest, readText } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { findCountedAt } from '../figures.server'

/**
 * The actions of a course's page. A form contains the fingerprint of the values that the page
 * showed.
 */
export const courseActions = {
  publish: createPublicationAction('publish'),
  withdraw: createPublicationAction('withdraw'),
  'publish-as-file': createPublicationAction('follow-file'),
  price: {
    permission: 'change courses',
    needsRecentSignIn: true,
    perform: (request) =>
      setPrice(request.actionContext, readCourseInput(request), {
        price: readText(request, 'price'),
        sale: readText(request, 'sale'),
        until: readText(request, 'until'),
      }),
  },
  'price-as-file': {
    permission: 'change courses',
    needsRecentSignIn: true,
    perform: (request) => resetPriceToFile(request.actionContext, readCourseInput(request)),
  },
} satisfies Record<string, DeskAction>

function createPublicationAction(change: PublicationChange): DeskAction {
  return {
    permission: 'change courses',
    needsRecentSignIn: false,
    perform: (request) =>
      changePublication(request.actionContext, readCourseInput(request), change),
  }
}

/** Returns the course in the page's URL, and the fingerprint of the values that the page showed. */
function readCourseInput(request: DeskFormRequest) {
  return { courseId: request.params.course ?? '', fingerprint: readText(request, 'fingerprint') }
}

export type CoursePageData = NonNullable<Awaited<ReturnType<typeof loadCoursePage>>>

/** Loads the figures of a course and, for those who may change it, its offer. */
export async function loadCoursePage({ db, staff, params }: DeskRequest) {
  const courseId = params.course ?? ''
  const course = canSeeCourse(staff, courseId) ? await findCourse(db, courseId) : null
  if (course === null) {
    return null
  }

  const [[courseFigures], countedAt, lessons, stuckLearners, offer] = await Promise.all([
    db.select().from(deskCourses).where(eq(deskCourses.courseId, courseId)),
    findCountedAt(db),
    listLessons(db, courseId),
    listStuckLearners(db, courseId),
    hasPermission(staff, 'change courses') ? findOffer(db, courseId) : null,
  ])

  // A new course has no figures before the next count.
  const {
    learners = 0,
    active = 0,
    completed = 0,
    certificates = 0,
    revenueMinor = 0,
    lessons: lessonFigures = [],
    questions: questionFigures = [],
  } = courseFigures ?? {}
  const revenue = { minor: revenueMinor, currency: siteCurrency() }

  return {
    course,
    countedAt,
    figures: { learners, active, completed, certificates },
    revenue: hasPermission(staff, 'see revenue') ? revenue : null,
    offer: offer && toOfferForm(offer),
    funnel: createFunnel(lessons, lessonFigures),
    hardestQuestions: await listHardestQuestions(db, courseId, lessons, questionFigures),
    stuckLearners,
  }
}

type Course = {
  id: string
  title: string
  published: boolean
  /** Is null for a course that is not in the catalog. */
  rating: number | null
}

async function findCourse(db: Database, courseId: string): Promise<Course | null> {
  const { rows } = await db.execute<Course>(sql`
    select c.id, c.title, c.published, s.rating::float8 as rating
    from courses c
      left join course_search s on s.course_id = c.id
    where c.id = ${courseId}`)

  return rows[0] ?? null
}

/** Returns the offer as its forms show it, with amounts such as '49.00'. */
function toOfferForm(offer: Offer) {
  const { priceMinor, originalPriceMinor, priceUntil, ...publishing } = offer
  const formatAmount = (minor: number) => formatDecimal(minor, siteCurrency())
  const isReduced = priceMinor !== originalPriceMinor

  return {
    ...publishing,
    publicationFingerprint: getPublicationFingerprint(offer),
    priceFingerprint: getPriceFingerprint(offer),
    priceText: formatOfferPrice(offer),
    price: formatAmount(originalPriceMinor),
    sale: isReduced ? formatAmount(priceMinor) : '',
    until: priceUntil ?? '',
    currency: siteCurrency(),
  }
}

type Lesson = { id: string; title: string; questionTexts: string[] }

/** Lists the lessons that count toward the progress, with the questions of their quizzes. */
async function listLessons(db: Database, courseId: string): Promise<Lesson[]> {
  const { rows } = await db.execute<Lesson>(sql`
    select l.id,
      l.title,
      (
        select coalesce(json_agg(q ->> 'question'), '[]')
        from jsonb_array_elements(s.questions) q) as "questionTexts"
    from counting_lessons l
      join course_lessons s on s.course_id = l.course_id and s.id = l.id
    where l.course_id = ${courseId}
    order by l.position, l.id`)

  return rows
}

/** A lesson with the number of learners who began and who finished it. */
type FunnelStep = { id: string; title: string; begun: number; done: number }

function createFunnel(
  lessons: readonly Lesson[],
  lessonFigures: readonly LessonFigures[],
): FunnelStep[] {
  const figuresById = new Map(lessonFigures.map((figures) => [figures.id, figures]))

  return lessons.map(({ id, title }) => {
    const { begun = 0, done = 0 } = figuresById.get(id) ?? {}
    return { id, title, begun, done }
  })
}

type HardQuestion = {
  id: string
  text: string
  lessonTitle: string
  /** The number of learners who got the question wrong. */
  missed: number
}

/** Adds the texts to the figures. Questions that are no longer in the course are left out. */
async function listHardestQuestions(
  db: Database,
  courseId: string,
  lessons: readonly Lesson[],
  questionFigures: readonly QuestionFigures[],
): Promise<HardQuestion[]> {
  if (questionFigures.length === 0) {
    return []
  }

  const { rows: examQuestions } = await db.execute<{ id: string; prompt: string }>(sql`
    select q ->> 'id' as id, q ->> 'prompt' as prompt
    from exams, jsonb_array_elements(questions) q
    where course_id = ${courseId}`)

  const questionsById = new Map<string, { text: string; lessonTitle: string }>()
  for (const { title, questionTexts } of lessons) {
    for (const text of questionTexts) {
      questionsById.set(questionId(text), {
        text: writeFormulasAsText(text),
        lessonTitle: title,
      })
    }
  }

  for (const { id, prompt } of examQuestions) {
    questionsById.set(examQuestionId(id), {
      text: writeFormulasAsText(prompt),
      lessonTitle: 'Exam',
    })
  }

  return questionFigures.flatMap(({ id, missed }) => {
    const question = questionsById.get(id)
    return question ? [{ id, missed, ...question }] : []
  })
}

type StuckLearner = {
  uid: string
  name: string
  lastOpenedAt: string
  doneLessons: number
  totalLessons: number
}

/**
 * Lists the learners who were stuck at the last count and have not finished since. Someone who left
 * and was enrolled again begins anew.
 */
async function listStuckLearners(db: Database, courseId: string): Promise<StuckLearner[]> {
  const lastOpenedAt = getLastOpenedAt(sql`e`)
  const { rows } = await db.execute<StuckLearner>(sql`
    select e.uid,
      u.name,
      ${lastOpenedAt}::text as "lastOpenedAt",
      p.done_lessons as "doneLessons",
      p.total_lessons as "totalLessons"
    from desk_courses d, unnest(d.stuck) s (uid)
      join enrollments e on e.uid = s.uid and e.course_id = ${courseId}
      join users u on u.id = e.uid
      join course_progress p on p.uid = e.uid and p.course_id = e.course_id
    where d.course_id = ${courseId}
      and e.completed_at is null
      and ${lastOpenedAt} is not null
    order by ${lastOpenedAt} desc, e.uid`)

  return rows
}
