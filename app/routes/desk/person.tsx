/**
 * /Desk/People/:uid: one account with its courses, orders, sign-ins and emails, and the forms that
 * help the learner.
 */
import { Link } from 'react-router'
import { eventTexts, formatSignInMethod } from '~/features/accounts/security/security-messages'
import { emailStatusTexts } from '~/features/desk/announcements/announcement-messages'
import { AuditTable } from '~/features/desk/audit/audit-table'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import {
  Badge,
  Day,
  DeskTitle,
  type DetailItem,
  DetailList,
  EmptyState,
  Section,
  Time,
} from '~/features/desk/desk-parts'
import { requireDesk, requirePageData } from '~/features/desk/desk-request.server'
import { AccountBadge } from '~/features/desk/people/account-badge'
import { AccountForms, CertificateForms, CourseForms } from '~/features/desk/people/person-forms'
import {
  loadPersonPage,
  type PersonPageData,
  personActions,
} from '~/features/desk/people/person-page.server'
import { formatOrderStatus } from '~/features/orders/order-texts'
import { formatMoney } from '~/features/school/money'
import { type Column, DataTable } from '~/ui/data-table'
import { createClientAction } from '~/ui/form/client-action'
import type { Route } from './+types/person'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'see people')
  return requirePageData(await loadPersonPage(desk))
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'see people')
  return handleDeskForm(args.request, desk, personActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function PersonRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <PersonView {...loaderData} />
    </DeskPage>
  )
}

/**
 * Shows what helps staff to help a learner. The learner's answers and notes are private, so the
 * page does not have them.
 */
function PersonView(page: PersonPageData) {
  const { person: account, courses, orders, announcementEmails, auditRows, queuedEmails } = page

  return (
    <>
      <DeskTitle parentPage={{ to: '/Desk/People', label: 'People' }} intro={account.email}>
        <bdi>{account.name}</bdi>
      </DeskTitle>
      <DetailList items={listDetails(page)} />
      <Section title="Courses">
        <DataTable
          caption="Courses of this learner"
          empty="Enrolled in no course."
          columns={createCourseColumns(account.id)}
          rows={courses}
          getRowKey={({ courseId }) => courseId}
        />
        {page.isChangeable && (
          <CourseForms courses={courses} offeredCourses={page.offeredCourses} />
        )}
      </Section>
      {orders.length > 0 && (
        <Section title="Orders">
          <DataTable
            caption="Orders of this learner"
            columns={orderColumns}
            rows={orders}
            getRowKey={({ id }) => id}
          />
        </Section>
      )}
      <SignInSection {...page} />
      {queuedEmails.length > 0 && (
        <Section title="Mail that has not arrived">
          <DataTable
            caption="Mail under way, or given up"
            columns={mailColumns}
            rows={queuedEmails}
            getRowKey={({ kind, dueAt }) => kind + dueAt}
          />
        </Section>
      )}
      {announcementEmails.length > 0 && (
        <Section title="Announcements sent">
          <DataTable
            caption="Announcements to this learner, the newest first"
            columns={announcementColumns}
            rows={announcementEmails}
            getRowKey={({ id }) => id}
          />
        </Section>
      )}
      {page.isChangeable ? (
        <>
          <CertificateForms courses={courses} />
          <AccountForms
            person={account}
            hasTwoStep={page.hasTwoFactor}
            providers={page.providers}
            isOwnAccount={page.isOwnAccount}
          />
        </>
      ) : (
        <Section title="Account">
          <EmptyState>
            This account has a role at the desk, so only an owner can change it.
          </EmptyState>
        </Section>
      )}
      <Section title="What staff did here">
        <AuditTable rows={auditRows} empty="Nothing yet." hasSubjectColumn={false} />
      </Section>
    </>
  )
}

function listDetails({ person: account, times }: PersonPageData): DetailItem[] {
  const { createdAt, confirmedAt, lastLoginAt } = times

  return [
    ['Account', <AccountBadge key="status" {...account} />],
    ['Address confirmed', confirmedAt ? <Time key="at" at={confirmedAt} /> : 'No'],
    ['Joined', <Time key="joined" at={createdAt} />],
    ['Last sign-in', lastLoginAt ? <Time key="last" at={lastLoginAt} /> : 'Never'],
    ['Phone', account.phone ?? '–'],
    ['Location', account.location ?? '–'],
    ['Time zone', account.displayTimezone],
    ['uid', account.id],
  ]
}

function SignInSection({
  signInMethods,
  hasTwoFactor,
  sessions,
  attempts,
  securityEvents,
}: PersonPageData) {
  const methodLabels = [...new Set(signInMethods.map(getSignInMethodLabel))]
  const countedAttempts = attempts.map(
    ({ description, count, max }) => `${count} of ${max} ${description}`,
  )
  const devices = sessions.map(({ device, lastUsedAt }) => (
    <span key={device + lastUsedAt} className="block">
      {device}, <Time at={lastUsedAt} />
    </span>
  ))

  return (
    <Section title="Signing in">
      <DetailList
        items={[
          ['Ways to sign in', methodLabels.join(', ') || 'None: send a link to set a password.'],
          ['Two-step sign-in', hasTwoFactor ? 'On' : 'Off'],
          ['Devices', devices.length === 0 ? 'Signed in nowhere.' : devices],
          ['Counted attempts', countedAttempts.join(', ') || 'None.'],
        ]}
      />
      <details className="mt-4">
        <summary className="link min-h-8">The last 90 days</summary>
        <SecurityEvents events={securityEvents} />
      </details>
    </Section>
  )
}

function getSignInMethodLabel({ provider }: PersonPageData['signInMethods'][number]): string {
  if (provider === 'credential') {
    return 'Password'
  }

  return provider === 'passkey' ? 'Passkey' : formatSignInMethod(provider)
}

type SecurityEventsProps = { events: PersonPageData['securityEvents'] }

function SecurityEvents({ events }: SecurityEventsProps) {
  if (events.length === 0) {
    return <p className="mt-3 text-muted">Nothing in the last 90 days.</p>
  }

  return (
    <ul className="mt-3 grid gap-1">
      {events.map(({ id, kind, signInMethod, device, at }) => (
        <li key={id}>
          {eventTexts[kind](signInMethod ? formatSignInMethod(signInMethod) : 'a link')}
          <span className="text-muted">
            {' '}
            · {device ?? 'by staff'} · <Time at={at} />
          </span>
        </li>
      ))}
    </ul>
  )
}

type CourseRow = PersonPageData['courses'][number]

function createCourseColumns(uid: string): Column<CourseRow>[] {
  return [
    {
      name: 'Course',
      cell: ({ courseId, title }) => (
        <Link to={`/Desk/Courses/${courseId}/Learners/${uid}`} className="link">
          {title}
        </Link>
      ),
    },
    { name: 'Progress', cell: ({ percent }) => `${percent}%`, isNumber: true },
    { name: 'Exam', cell: formatExam, showFrom: 'sm' },
    {
      name: 'Certificate',
      cell: ({ certificate }) =>
        certificate && (
          <Link to={`/Certificate/${certificate.id}`} className="link">
            {certificate.revoked ? 'Revoked' : 'Issued'}
          </Link>
        ),
      showFrom: 'md',
    },
    {
      name: 'Last opened',
      cell: ({ lastOpenedAt }) => (lastOpenedAt ? <Day at={lastOpenedAt} /> : 'Never'),
      showFrom: 'lg',
    },
  ]
}

function formatExam({ exam }: CourseRow): string {
  if (exam.best === null) {
    return '–'
  }

  return exam.passed ? `Passed, ${exam.best}%` : `Not passed, best ${exam.best}%`
}

const orderColumns: Column<PersonPageData['orders'][number]>[] = [
  {
    name: 'Order',
    cell: ({ id, courseTitle }) => (
      <>
        <Link to={`/Desk/Orders/${id}`} className="link">
          {id}
        </Link>
        <span className="block text-muted text-sm">{courseTitle}</span>
      </>
    ),
  },
  {
    name: 'State',
    cell: (order) => (
      <Badge variant={order.status === 'paid' ? 'good' : 'plain'}>{formatOrderStatus(order)}</Badge>
    ),
  },
  {
    name: 'Total',
    cell: ({ totalMinor, currency }) => formatMoney(totalMinor, currency),
    isNumber: true,
  },
]

const announcementColumns: Column<PersonPageData['announcementEmails'][number]>[] = [
  {
    name: 'Subject',
    cell: ({ id, subject }) => (
      <Link to={`/Desk/Announcements/${id}`} className="link [overflow-wrap:anywhere]">
        {subject}
      </Link>
    ),
  },
  {
    name: 'State',
    cell: ({ status }) => (
      <Badge variant={status === 'sent' ? 'good' : 'plain'}>{emailStatusTexts[status]}</Badge>
    ),
  },
  { name: 'When', cell: ({ at }) => <Time at={at} />, showFrom: 'sm' },
]

const mailColumns: Column<PersonPageData['queuedEmails'][number]>[] = [
  { name: 'Mail', cell: ({ kind }) => kind },
  { name: 'State', cell: ({ failedAt }) => (failedAt ? 'Given up' : 'Waits') },
  { name: 'Reason', cell: ({ reason }) => reason ?? '–', showFrom: 'sm' },
]
