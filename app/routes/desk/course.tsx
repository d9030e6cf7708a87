/**
 * /Desk/Courses/:course: the figures of a course, with the forms that publish, withdraw and price
 * it.
 */
import { Link } from 'react-router'
import {
  type CoursePageData,
  courseActions,
  loadCoursePage,
} from '~/features/desk/courses/course-page.server'
import { formatShare } from '~/features/desk/courses/format-share'
import { OfferSection } from '~/features/desk/courses/offer-section'
import { coursePreviewPath } from '~/features/desk/courses/preview-paths'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import {
  Badge,
  CountedAt,
  Day,
  DeskTitle,
  type DetailItem,
  DetailList,
  Section,
} from '~/features/desk/desk-parts'
import { requireDesk, requirePageData } from '~/features/desk/desk-request.server'
import { formatMoney } from '~/features/school/money'
import { ButtonLink } from '~/ui/button'
import { type Column, DataTable } from '~/ui/data-table'
import { createClientAction } from '~/ui/form/client-action'
import { formatNumber } from '~/ui/format-count'
import type { Route } from './+types/course'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'see courses')
  return requirePageData(await loadCoursePage(desk))
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'see courses')
  return handleDeskForm(args.request, desk, courseActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function CourseRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <CourseView {...loaderData} />
    </DeskPage>
  )
}

function CourseView(page: CoursePageData) {
  const { course, countedAt, figures, revenue, offer, funnel } = page
  const { learners, active, completed, certificates } = figures

  const details: DetailItem[] = [
    ['Learners', formatNumber(learners)],
    ['Opened it in the last 30 days', formatNumber(active)],
    ['Completed', formatCompleted(completed, learners)],
    ['Certificates', formatNumber(certificates)],
    ['Rating', course.rating?.toFixed(1) ?? '–'],
  ]
  if (revenue) {
    details.push(['Revenue', formatMoney(revenue.minor, revenue.currency)])
  }

  return (
    <>
      <DeskTitle
        parentPage={{ to: '/Desk/Courses', label: 'Courses' }}
        intro={<CourseStatus course={course} />}
        side={<CourseLinks courseId={course.id} hasLessons={funnel.length > 0} />}
      >
        {course.title}
      </DeskTitle>
      <DetailList items={details} />
      <p className="mt-4 text-muted text-sm">
        <CountedAt at={countedAt} />
      </p>
      {offer && <OfferSection offer={offer} />}
      <Section title="Where learners stop">
        <DataTable
          caption="Lessons in their order, with how many learners began and finished each"
          empty="The course has no lessons with material yet."
          columns={createFunnelColumns(learners)}
          rows={funnel}
          getRowKey={({ id }) => id}
        />
      </Section>
      <HardestQuestions questions={page.hardestQuestions} />
      <StuckLearners courseId={course.id} learners={page.stuckLearners} />
    </>
  )
}

function CourseStatus({ course }: Pick<CoursePageData, 'course'>) {
  return (
    <>
      <Badge variant={course.published ? 'good' : 'plain'}>
        {course.published ? 'Published' : 'Not published'}
      </Badge>{' '}
      {course.published && (
        <Link to={`/OneCourse/${course.id}`} className="link">
          The course’s page
        </Link>
      )}
    </>
  )
}

function CourseLinks({ courseId, hasLessons }: { courseId: string; hasLessons: boolean }) {
  return (
    <div className="flex flex-wrap gap-3">
      {hasLessons && (
        <ButtonLink to={coursePreviewPath(courseId)} variant="secondary">
          See it as a learner
        </ButtonLink>
      )}
      <ButtonLink to={`/Desk/Courses/${courseId}/Learners`} variant="secondary">
        All learners
      </ButtonLink>
      <ButtonLink to={`/Desk/Announcements/New?course=${courseId}`} variant="secondary">
        Write to them
      </ButtonLink>
    </div>
  )
}

function formatCompleted(completed: number, learners: number): string {
  return `${formatNumber(completed)} (${formatShare(completed, learners)})`
}

type FunnelStep = CoursePageData['funnel'][number]

const createFunnelColumns = (learnerCount: number): Column<FunnelStep>[] => [
  { name: 'Lesson', cell: ({ title }) => title },
  {
    name: 'Finished it',
    cell: ({ done }) => <Share part={done} whole={learnerCount} />,
    showFrom: 'sm',
  },
  { name: 'Began', cell: ({ begun }) => formatNumber(begun), isNumber: true, showFrom: 'md' },
  { name: 'Finished', cell: ({ done }) => formatNumber(done), isNumber: true },
]

/** Shows a share as a bar, with its percentage beside it. */
function Share({ part, whole }: { part: number; whole: number }) {
  const percent = whole === 0 ? 0 : Math.min(100, Math.floor((part * 100) / whole))
  return (
    <span className="flex items-center gap-3">
      <svg aria-hidden="true" width="100%" height="8" className="min-w-24 flex-1">
        <rect width="100%" height="8" rx="4" className="fill-sunken" />
        <rect width={`${percent}%`} height="8" rx="4" className="fill-accent" />
      </svg>
      <span className="w-12 text-right text-muted tabular-nums">{formatShare(part, whole)}</span>
    </span>
  )
}

function HardestQuestions({ questions }: { questions: CoursePageData['hardestQuestions'] }) {
  return (
    <Section title="Hardest questions">
      <p className="mb-4 text-muted">
        How many learners got each of them wrong at least once, in a quiz or the exam.
      </p>
      <DataTable
        caption="Hardest questions"
        empty="No learner has got a question wrong yet."
        columns={questionColumns}
        rows={questions}
        getRowKey={({ id }) => id}
      />
    </Section>
  )
}

const questionColumns: Column<CoursePageData['hardestQuestions'][number]>[] = [
  {
    name: 'Question',
    cell: ({ text, lessonTitle }) => (
      <>
        {text}
        <span className="block text-muted text-sm">{lessonTitle}</span>
      </>
    ),
  },
  {
    name: 'Learners',
    cell: ({ missed }) => formatNumber(missed),
    isNumber: true,
  },
]

type StuckLearnersProps = { courseId: string; learners: CoursePageData['stuckLearners'] }

function StuckLearners({ courseId, learners }: StuckLearnersProps) {
  return (
    <Section title="Who is stuck">
      <p className="mb-4 text-muted">
        They began, haven’t finished, and haven’t opened the course for two weeks to three months.
      </p>
      <DataTable
        caption="Learners who are stuck"
        empty="No one right now."
        columns={createStuckLearnerColumns(courseId)}
        rows={learners}
        getRowKey={({ uid }) => uid}
      />
    </Section>
  )
}

const createStuckLearnerColumns = (
  courseId: string,
): Column<CoursePageData['stuckLearners'][number]>[] => [
  {
    name: 'Learner',
    cell: ({ uid, name }) => (
      <Link to={`/Desk/Courses/${courseId}/Learners/${uid}`} className="link">
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  {
    name: 'Lessons',
    cell: ({ doneLessons, totalLessons }) => `${doneLessons} of ${totalLessons}`,
    isNumber: true,
  },
  {
    name: 'Last opened',
    cell: ({ lastOpenedAt }) => <Day at={lastOpenedAt} />,
    isNumber: true,
  },
]
