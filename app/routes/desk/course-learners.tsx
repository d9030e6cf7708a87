/** /Desk/Courses/:course/Learners: the learners of a course, with their progress. */
import { Link } from 'react-router'
import {
  type CourseLearnersPageData,
  loadCourseLearnersPage,
} from '~/features/desk/courses/course-learners-page.server'
import { ExportForm } from '~/features/desk/desk-forms'
import { DeskPage } from '~/features/desk/desk-page'
import { Day, DeskTitle } from '~/features/desk/desk-parts'
import {
  requireDesk,
  requirePageData,
  respondUnknownPage,
} from '~/features/desk/desk-request.server'
import { type Column, DataTable } from '~/ui/data-table'
import { Pager } from '~/ui/pager'
import type { Route } from './+types/course-learners'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'see courses')
  return requirePageData(await loadCourseLearnersPage(desk))
}

export const action = respondUnknownPage

export default function CourseLearnersRoute({ loaderData }: Route.ComponentProps) {
  return (
    <DeskPage>
      <CourseLearnersView {...loaderData} />
    </DeskPage>
  )
}

function CourseLearnersView({ course, rows, next }: CourseLearnersPageData) {
  return (
    <>
      <DeskTitle
        parentPage={{ to: `/Desk/Courses/${course.id}`, label: course.title }}
        side={<ExportForm table="progress" hiddenValues={{ course: course.id }} />}
      >
        Learners
      </DeskTitle>
      <DataTable
        caption={`Learners of ${course.title}`}
        empty="No one is enrolled yet."
        columns={createColumns(course.id)}
        rows={rows}
        getRowKey={({ uid }) => uid}
      />
      <Pager next={next} />
    </>
  )
}

type LearnerRow = CourseLearnersPageData['rows'][number]

function createColumns(courseId: string): Column<LearnerRow>[] {
  return [
    {
      name: 'Learner',
      cell: ({ uid, name, email }) => (
        <>
          <Link to={`/Desk/Courses/${courseId}/Learners/${uid}`} className="link">
            <bdi>{name}</bdi>
          </Link>
          {email && (
            <span className="block text-muted text-sm [overflow-wrap:anywhere]">{email}</span>
          )}
        </>
      ),
    },
    { name: 'Progress', cell: ({ percent }) => `${percent}%`, isNumber: true },
    {
      name: 'Lessons',
      cell: ({ doneLessons, totalLessons }) => `${doneLessons} of ${totalLessons}`,
      isNumber: true,
      showFrom: 'sm',
    },
    {
      name: 'Best exam',
      cell: ({ exam }) => (exam.best === null ? '–' : `${exam.best}%`),
      isNumber: true,
      showFrom: 'md',
    },
    {
      name: 'Last opened',
      cell: ({ lastOpenedAt }) => (lastOpenedAt ? <Day at={lastOpenedAt} /> : 'Never'),
      showFrom: 'md',
    },
  ]
}
