/**
 * /Desk/Courses: the list of courses, with the forms for the courses on Home and for withdrawing
 * several courses.
 */
import { Link } from 'react-router'
import {
  type CoursesPageData,
  coursesActions,
  loadCoursesPage,
} from '~/features/desk/courses/courses-page.server'
import { formatShare } from '~/features/desk/courses/format-share'
import { CoursesField } from '~/features/desk/courses-field'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { CollapsedActionForm, FilterForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { Badge, CountedAt, DeskTitle } from '~/features/desk/desk-parts'
import { requireDesk } from '~/features/desk/desk-request.server'
import { formatMoney } from '~/features/school/money'
import { type Column, DataTable } from '~/ui/data-table'
import { createClientAction } from '~/ui/form/client-action'
import { Field, SelectField } from '~/ui/form/field'
import { formatNumber } from '~/ui/format-count'
import { Pager } from '~/ui/pager'
import type { Route } from './+types/courses'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'see courses')
  return loadCoursesPage(desk)
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'see courses')
  return handleDeskForm(args.request, desk, coursesActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function CoursesRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <CoursesView {...loaderData} />
    </DeskPage>
  )
}

function CoursesView(page: CoursesPageData) {
  const { filter, rows, next, currency, canSeeRevenue, homeChoice, publishedCourses, countedAt } =
    page

  return (
    <>
      <DeskTitle intro={<CountedAt at={countedAt} />}>Courses</DeskTitle>
      <FilterForm>
        <Field
          label="Title or ID"
          type="search"
          name="text"
          defaultValue={filter.text}
          className="lg:min-w-64 lg:flex-1"
        />
        <SelectField label="State" name="state" defaultValue={filter.status}>
          <option value="">Any</option>
          <option value="published">Published</option>
          <option value="withdrawn">Not published</option>
        </SelectField>
      </FilterForm>
      <DataTable
        caption="Courses, those with most learners first"
        empty="No course matches."
        columns={canSeeRevenue ? [...columns, createRevenueColumn(currency)] : columns}
        rows={rows}
        getRowKey={({ id }) => id}
      />
      <Pager next={next} />
      {homeChoice && <HomeCoursesForm homeChoice={homeChoice} />}
      {publishedCourses.length > 0 && <WithdrawCoursesForm courses={publishedCourses} />}
    </>
  )
}

type HomeCoursesFormProps = { homeChoice: NonNullable<CoursesPageData['homeChoice']> }

/** Shows the form that chooses the courses that Home shows first. */
function HomeCoursesForm({ homeChoice }: HomeCoursesFormProps) {
  const { placeCount, chosenIds, courses } = homeChoice
  const placeLabels = Array.from({ length: placeCount }, (_, index) => `Place ${index + 1}`)

  return (
    <div className="mt-6">
      <CollapsedActionForm
        title="Courses on Home"
        intent="home"
        buttonText="Save the order"
        variant="primary"
        hiddenValues={{ displayed: chosenIds.join(' ') }}
      >
        <p className="text-muted">
          Home shows {placeCount} courses: first those that you choose here, then those with most
          students. A withdrawn course is left out.
        </p>
        <div className="grid gap-4 sm:grid-cols-2">
          {placeLabels.map((label, index) => (
            <SelectField
              key={label}
              label={label}
              name="course"
              defaultValue={chosenIds[index] ?? ''}
            >
              <option value="">One with most students</option>
              {courses.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </SelectField>
          ))}
        </div>
      </CollapsedActionForm>
    </div>
  )
}

type WithdrawCoursesFormProps = { courses: CoursesPageData['publishedCourses'] }

/** Shows the form that withdraws several courses at once. */
function WithdrawCoursesForm({ courses }: WithdrawCoursesFormProps) {
  return (
    <div className="mt-4">
      <CollapsedActionForm
        title="Withdraw several courses"
        intent="withdraw"
        buttonText="Withdraw the chosen courses"
        variant="danger"
      >
        <p className="text-muted">
          They disappear from every page, and no one can buy them any more. Learners who have them
          keep them.
        </p>
        <CoursesField legend="Courses" hint="Check the courses to withdraw." courses={courses} />
      </CollapsedActionForm>
    </div>
  )
}

type CourseRow = CoursesPageData['rows'][number]

const columns: Column<CourseRow>[] = [
  {
    name: 'Course',
    cell: ({ id, title, published }) => (
      <>
        <Link to={`/Desk/Courses/${id}`} className="link">
          {title}
        </Link>
        {!published && (
          <span className="mt-1 block">
            <Badge variant="plain">Not published</Badge>
          </span>
        )}
      </>
    ),
  },
  { name: 'Learners', cell: ({ learners }) => formatNumber(learners), isNumber: true },
  { name: 'Active', cell: ({ active }) => formatNumber(active), isNumber: true, showFrom: 'md' },
  {
    name: 'Completed',
    cell: ({ completed, learners }) => formatShare(completed, learners),
    isNumber: true,
  },
  {
    name: 'Rating',
    cell: ({ rating }) => rating?.toFixed(1) ?? '–',
    isNumber: true,
    showFrom: 'sm',
  },
]

function createRevenueColumn(currency: string): Column<CourseRow> {
  return {
    name: 'Revenue',
    cell: ({ revenueMinor }) => formatMoney(revenueMinor, currency),
    isNumber: true,
    showFrom: 'md',
  }
}
