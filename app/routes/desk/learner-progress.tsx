/** /Desk/Courses/:course/Learners/:uid: the progress of one learner in a course. */
import {
  type LearnerProgressPageData,
  loadLearnerProgressPage,
} from '~/features/desk/courses/learner-progress-page.server'
import { DeskPage } from '~/features/desk/desk-page'
import { Badge, DeskTitle, DetailList, Section, Time } from '~/features/desk/desk-parts'
import {
  requireDesk,
  requirePageData,
  respondUnknownPage,
} from '~/features/desk/desk-request.server'
import { ButtonLink } from '~/ui/button'
import { type Column, DataTable } from '~/ui/data-table'
import { formatClock } from '~/ui/format-duration'
import type { Route } from './+types/learner-progress'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'see courses')
  return requirePageData(await loadLearnerProgressPage(desk))
}

export const action = respondUnknownPage

export default function LearnerProgressRoute({ loaderData }: Route.ComponentProps) {
  return (
    <DeskPage>
      <LearnerProgressView {...loaderData} />
    </DeskPage>
  )
}

function LearnerProgressView(page: LearnerProgressPageData) {
  const { course, learner, canSeePerson, progress, lessons, missing, attempts, nextAttempt } = page

  return (
    <>
      <DeskTitle
        parentPage={{ to: `/Desk/Courses/${course.id}/Learners`, label: course.title }}
        intro={learner.email}
        side={
          canSeePerson && (
            <ButtonLink to={`/Desk/People/${learner.uid}`} variant="secondary">
              The account
            </ButtonLink>
          )
        }
      >
        <bdi>{learner.name}</bdi>
      </DeskTitle>
      <DetailList
        items={[
          ['Progress', `${progress.percent}%`],
          ['Lessons done', `${progress.doneLessons} of ${progress.totalLessons}`],
          ['Missing for the certificate', missing.join(' ') || 'Nothing: it is issued.'],
          ['Next exam attempt', <NextAttempt key="next" nextAttempt={nextAttempt} />],
        ]}
      />
      <Section title="Lessons, and why">
        <DataTable
          caption="Lessons of the course"
          empty="The course has no lessons."
          columns={lessonColumns}
          rows={lessons}
          getRowKey={({ id }) => id}
        />
      </Section>
      {attempts.length > 0 && (
        <Section title="Exam attempts">
          <DataTable
            caption="Exam attempts"
            columns={attemptColumns}
            rows={attempts}
            getRowKey={({ id }) => id}
          />
        </Section>
      )}
    </>
  )
}

/** Says when the learner may start the next attempt. After a pause, it may be the last one. */
function NextAttempt({ nextAttempt }: Pick<LearnerProgressPageData, 'nextAttempt'>) {
  if (nextAttempt === null) {
    return 'The course has no exam.'
  }

  const { at, isOpen, remaining } = nextAttempt
  if (isOpen) {
    return 'An attempt is in progress.'
  }

  if (at !== null) {
    return <Time at={at} />
  }

  return remaining > 0 ? 'Now' : 'No attempts left'
}

const lessonColumns: Column<LearnerProgressPageData['lessons'][number]>[] = [
  {
    name: 'Lesson',
    cell: ({ title, reason }) => (
      <>
        {title}
        <span className="block text-muted text-sm">{reason}</span>
      </>
    ),
  },
  {
    name: 'Length',
    cell: ({ durationSeconds }) => formatClock(durationSeconds),
    isNumber: true,
    showFrom: 'sm',
  },
  {
    name: 'State',
    cell: ({ done, counts }) => {
      if (!counts) {
        return <Badge variant="plain">Doesn’t count</Badge>
      }

      return done ? <Badge variant="good">Done</Badge> : <Badge variant="plain">Open</Badge>
    },
  },
]

const attemptColumns: Column<LearnerProgressPageData['attempts'][number]>[] = [
  { name: 'Handed in', cell: ({ submittedAt }) => <Time at={submittedAt} /> },
  { name: 'Score', cell: ({ score, maxScore }) => `${score} of ${maxScore}`, isNumber: true },
  {
    name: 'Result',
    cell: ({ passed }) =>
      passed ? <Badge variant="good">Passed</Badge> : <Badge variant="plain">Not passed</Badge>,
  },
]
