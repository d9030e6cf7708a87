import { CoursesField } from '~/features/desk/courses-field'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { DeskPage, revalidateAfterRefusal } from '~/features/desk/desk-page'
import { Badge, CollapsedActionForm, DeskTitle, Section } from '~/features/desk/desk-parts'
import { requireDesk } from '~/features/desk/desk-request.server'
import {
  loadStaffPage,
  type StaffPageData,
  staffActions,
} from '~/features/desk/staff/staff-page.server'
import { roleDefinitions, staffRoles } from '~/features/staff/permissions'
import { type Column, DataTable } from '~/ui/data-table'
import { createClientAction } from '~/ui/form/client-action'
import { Field, SelectField } from '~/ui/form/field'
import type { Route } from './+types/staff'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'run the staff')
  return loadStaffPage(desk)
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'run the staff')
  return handleDeskForm(args.request, desk, staffActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateAfterRefusal

export default function StaffRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <StaffView {...loaderData} />
    </DeskPage>
  )
}

type Staff = StaffPageData

type Row = Staff['staff'][number]

function StaffView({ staff, courses, hasMoreCourses, ownUid }: Staff) {
  const others = staff.filter(({ uid }) => uid !== ownUid)
  return (
    <>
      <DeskTitle intro="Who sees this desk, and what they may do here. To everybody else it doesn’t exist.">
        Staff
      </DeskTitle>
      <DataTable
        caption="Staff, owners first"
        columns={columns}
        rows={staff}
        keyOf={({ uid }) => uid}
      />
      <Section title="Change the staff">
        <div className="grid items-start gap-3 lg:grid-cols-2">
          <CollapsedActionForm
            name="Give somebody a role"
            act="give"
            button="Give the role"
            variant="primary"
          >
            <Field
              label="Email address of the account"
              name="account"
              type="email"
              required
              autoComplete="off"
              hint="They need an account with a confirmed address. A role that they have is replaced."
            />
            <SelectField label="Role" name="role" defaultValue="teacher">
              {staffRoles.map((role) => (
                <option key={role} value={role}>
                  {roleDefinitions[role].description}
                </option>
              ))}
            </SelectField>
            <CoursesField
              legend="Courses of a teacher"
              hint="Other roles see all courses."
              courses={courses}
              hasMore={hasMoreCourses}
            />
            <label className="flex min-h-11 items-center gap-3">
              <input type="checkbox" name="addresses" className="size-5 shrink-0 accent-accent" />
              The teacher sees email addresses
            </label>
          </CollapsedActionForm>
          {others.length > 0 && (
            <CollapsedActionForm
              name="Take somebody’s role"
              act="take"
              button="Take the role"
              variant="danger"
            >
              <p className="text-muted">The account stays, and can learn as before.</p>
              <SelectField label="Who" name="account">
                {others.map(({ uid, name, email }) => (
                  <option key={uid} value={uid}>
                    {name} ({email})
                  </option>
                ))}
              </SelectField>
            </CollapsedActionForm>
          )}
        </div>
      </Section>
    </>
  )
}

const columns: Column<Row>[] = [
  {
    name: 'Name',
    of: ({ name, email }) => (
      <>
        <bdi className="font-medium">{name}</bdi>
        <span className="block text-muted text-sm [overflow-wrap:anywhere]">{email}</span>
      </>
    ),
  },
  {
    name: 'Role',
    of: ({ role }) => (
      <Badge variant={role === 'owner' ? 'good' : 'plain'}>{roleDefinitions[role].label}</Badge>
    ),
  },
  {
    name: 'Courses',
    of: ({ role, courses }) =>
      roleDefinitions[role].hasOwnCourses ? formatTitles(courses) : 'All',
    from: 'sm',
  },
  {
    name: 'Email addresses',
    of: ({ role, seesAddresses }) =>
      roleDefinitions[role].hasOwnCourses && !seesAddresses ? 'Hidden' : 'Shown',
    from: 'lg',
  },
]

function formatTitles(courses: Row['courses']): string {
  return courses.map(({ title }) => title).join(', ')
}
