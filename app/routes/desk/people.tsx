/** /Desk/People: the list of accounts, with filters, an export and the link to the import. */
import { Link } from 'react-router'
import { ExportForm, FilterForm } from '~/features/desk/desk-forms'
import { DeskPage } from '~/features/desk/desk-page'
import { Day, DeskTitle } from '~/features/desk/desk-parts'
import { requireDesk, respondUnknownPage } from '~/features/desk/desk-request.server'
import { AccountBadge } from '~/features/desk/people/account-badge'
import {
  loadPeoplePage,
  type PeoplePageData,
  type PersonRow,
} from '~/features/desk/people/people-page.server'
import { ButtonLink } from '~/ui/button'
import { type Column, DataTable } from '~/ui/data-table'
import { Field, SelectField } from '~/ui/form/field'
import { Pager } from '~/ui/pager'
import type { Route } from './+types/people'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'see people')
  return loadPeoplePage(desk)
}

export const action = respondUnknownPage

export default function PeopleRoute({ loaderData }: Route.ComponentProps) {
  return (
    <DeskPage>
      <PeopleView {...loaderData} />
    </DeskPage>
  )
}

function PeopleView({ filter, courses, rows, next }: PeoplePageData) {
  return (
    <>
      <DeskTitle
        side={
          <div className="flex flex-wrap gap-3">
            <ButtonLink to="/Desk/People/Import" variant="secondary">
              Import
            </ButtonLink>
            <ExportForm table="people" />
          </div>
        }
      >
        People
      </DeskTitle>
      <FilterForm>
        <Field
          label="Name or email address"
          type="search"
          name="text"
          defaultValue={filter.text}
          className="lg:min-w-64 lg:flex-1"
        />
        <SelectField label="State" name="state" defaultValue={filter.status}>
          <option value="">Any</option>
          <option value="confirmed">Confirmed</option>
          <option value="unconfirmed">Not confirmed</option>
          <option value="disabled">Disabled</option>
          <option value="never">Never signed in</option>
        </SelectField>
        <Field
          label="Course (its ID)"
          name="course"
          list="courses"
          defaultValue={filter.courseId}
        />
        <datalist id="courses">
          {courses.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </datalist>
      </FilterForm>
      <DataTable
        caption="People, the newest first"
        empty="No account fits. Try less of the name or the address."
        columns={columns}
        rows={rows}
        getRowKey={({ id }) => id}
      />
      <Pager next={next} />
    </>
  )
}

const columns: Column<PersonRow>[] = [
  {
    name: 'Name',
    cell: ({ id, name, email }) => (
      <>
        <Link to={`/Desk/People/${id}`} className="link">
          <bdi>{name}</bdi>
        </Link>
        <span className="block text-muted text-sm [overflow-wrap:anywhere]">{email}</span>
      </>
    ),
  },
  { name: 'State', cell: (person) => <AccountBadge {...person} /> },
  { name: 'Courses', cell: ({ courseCount }) => courseCount, isNumber: true, showFrom: 'sm' },
  { name: 'Joined', cell: ({ createdAt }) => <Day at={createdAt} />, showFrom: 'md' },
  {
    name: 'Last sign-in',
    cell: ({ lastLoginAt }) => (lastLoginAt ? <Day at={lastLoginAt} /> : 'Never'),
    showFrom: 'lg',
  },
]
