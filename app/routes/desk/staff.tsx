/** /Desk/Staff: who has a role at the desk. Owners give roles to accounts, and take them away. */
import { CoursesField } from '~/features/desk/courses-field'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { CollapsedActionForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { Badge, DeskTitle, Section } from '~/features/desk/desk-parts'
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
  const desk = await requireDesk(args, 'manage staff')
  return loadStaffPage(desk)
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'manage staff')
  return handleDeskForm(args.request, desk, staffActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function StaffRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <StaffView {...loaderData} />
    </DeskPage>
  )
}

type Member = StaffPageData['members'][number]

const staffColumns: Column<Member>[] = [
  {
    name: 'Name',
    cell: ({ name, email }) => (
      <>
        <bdi className="font-medium">{name}</bdi>
        <span className="block text-muted text-sm [overflow-wrap:anywhere]">{email}</span>
      </>
    ),
  },
  {
    name: 'Role',
    cell: ({ role }) => (
      <Badge variant={role === 'owner' ? 'good' : 'plain'}>{roleDefinitions[role].label}</Badge>
    ),
  },
  { name: 'Courses', cell: formatCourses, showFrom: 'sm' },
  { name: 'Email addresses', cell: formatEmailAccess, showFrom: 'lg' },
]

function StaffView({ members, courses, viewerUid }: StaffPageData) {
  const otherMembers = members.filter(({ uid }) => uid !== viewerUid)

  return (
    <>
      <DeskTitle intro="Who sees this desk, and what they may do here. To everybody else it doesn’t exist.">
        Staff
      </DeskTitle>
      <DataTable
        caption="Staff, owners first"
        columns={staffColumns}
        rows={members}
        getRowKey={({ uid }) => uid}
      />
      <Section title="Change the staff">
        <div className="grid items-start gap-3 lg:grid-cols-2">
          <GiveRoleForm courses={courses} />
          {otherMembers.length > 0 && <TakeRoleForm otherMembers={otherMembers} />}
        </div>
      </Section>
    </>
  )
}

/** Returns the titles of the courses that the member sees. */
function formatCourses({ role, courses }: Member): string {
  if (!roleDefinitions[role].isLimitedToAssignedCourses) {
    return 'All'
  }

  return courses.map(({ title }) => title).join(', ')
}

/** Returns whether the member sees the email addresses of learners. */
function formatEmailAccess({ role, seesLearnerEmails }: Member): string {
  const { isLimitedToAssignedCourses } = roleDefinitions[role]
  return isLimitedToAssignedCourses && !seesLearnerEmails ? 'Hidden' : 'Shown'
}

/**
 * Offers all courses of the school. The server ignores the chosen courses and the checkbox if the
 * role is not a teacher's.
 */
function GiveRoleForm({ courses }: Pick<StaffPageData, 'courses'>) {
  return (
    <CollapsedActionForm
      title="Give somebody a role"
      intent="give"
      buttonText="Give the role"
      variant="primary"
    >
      <Field
        label="Email address of the account"
        name="email"
        type="email"
        required
        autoComplete="off"
        hint="They need an account with a confirmed address. A role that they have is replaced."
      />
      <SelectField label="Role" name="role" defaultValue="teacher">
        {staffRoles.map((role) => (
          <option key={role} value={role}>
            {roleDefinitions[role].optionText}
          </option>
        ))}
      </SelectField>
      <CoursesField
        legend="Courses of a teacher"
        hint="Other roles see all courses."
        courses={courses}
      />
      <label className="flex min-h-11 items-center gap-3">
        <input type="checkbox" name="seesAddresses" className="size-5 shrink-0 accent-accent" />
        The teacher sees email addresses
      </label>
    </CollapsedActionForm>
  )
}

/** No member is selected at first, so that nobody loses their role by a careless click. */
function TakeRoleForm({ otherMembers }: { otherMembers: readonly Member[] }) {
  return (
    <CollapsedActionForm
      title="Take somebody’s role"
      intent="take"
      buttonText="Take the role"
      variant="danger"
    >
      <p className="text-muted">The account stays, and can learn as before.</p>
      <SelectField label="Who" name="uid" defaultValue="" required>
        <option value="">Choose a member of staff</option>
        {otherMembers.map(({ uid, name, email }) => (
          <option key={uid} value={uid}>
            {name} ({email})
          </option>
        ))}
      </SelectField>
    </CollapsedActionForm>
  )
}
