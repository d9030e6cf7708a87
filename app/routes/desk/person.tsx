import { Link } from 'react-router'
import { eventTexts, formatSignInMethod } from '~/features/accounts/security/security-messages'
import { mailStateTexts } from '~/features/desk/announcements/announcement-messages'
import { AuditTable } from '~/features/desk/audit/audit-table'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { DeskPage, revalidateAfterRefusal } from '~/features/desk/desk-page'
import { Badge, DeskTitle, Facts, Nothing, Section, Time } from '~/features/desk/desk-parts'
import { requireDesk, requireFound } from '~/features/desk/desk-request.server'
import { AccountState } from '~/features/desk/people/account-state'
import { AccountActs, CertificateActs, CourseActs } from '~/features/desk/people/person-acts'
import {
  loadPersonPage,
  type PersonPageData,
  personActions,
} from '~/features/desk/people/person-page.server'
import { orderStateText } from '~/features/orders/order-texts'
import { formatMoney } from '~/features/school/money'
import { type Column, DataTable } from '~/ui/data-table'
import { createClientAction } from '~/ui/form/client-action'
import { formatDate } from '~/ui/format-date'
import type { Route } from './+types/person'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'see people')
  return requireFound(await loadPersonPage(desk))
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'see people')
  return handleDeskForm(args.request, desk, personActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateAfterRefusal

export default function PersonRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <PersonView {...loaderData} />
    </DeskPage>
  )
}

type Person = PersonPageData

/** Everything that helps somebody who writes 'it doesn't work'. No answer and no note of theirs. */
function PersonView(person: Person) {
  const { person: account, times, courses, orders, announced, audit, mails } = person
  return (
    <>
      <DeskTitle above={{ to: '/Desk/People', label: 'People' }} intro={account.email}>
        <bdi>{account.name}</bdi>
      </DeskTitle>
      <Facts
        facts={[
          ['Account', <AccountState key="state" {...account} />],
          [
            'Address confirmed',
            times.confirmedAt ? <Time key="at" at={times.confirmedAt} /> : 'No',
          ],
          ['Joined', <Time key="joined" at={times.createdAt} />],
          [
            'Last sign-in',
            times.lastLoginAt ? <Time key="last" at={times.lastLoginAt} /> : 'Never',
          ],
          ['Phone', account.phone ?? '–'],
          ['Location', account.location ?? '–'],
          ['Time zone', account.displayTimezone],
          ['uid', account.id],
        ]}
      />
      <Section title="Courses">
        <DataTable
          caption="Courses of this learner"
          empty="Enrolled in no course."
          columns={courseColumns(account.id)}
          rows={courses}
          keyOf={({ courseId }) => courseId}
        />
        {person.isChangeable && <CourseActs courses={courses} offered={person.offered} />}
      </Section>
      {orders.length > 0 && (
        <Section title="Orders">
          <DataTable
            caption="Orders of this learner"
            columns={orderColumns}
            rows={orders}
            keyOf={({ id }) => id}
          />
        </Section>
      )}
      <SignIn {...person} />
      {mails.length > 0 && (
        <Section title="Mail that has not arrived">
          <DataTable
            caption="Mail under way, or given up"
            columns={mailColumns}
            rows={mails}
            keyOf={({ kind, dueAt }) => kind + dueAt}
          />
        </Section>
      )}
      {announced.length > 0 && (
        <Section title="Announcements sent">
          <DataTable
            caption="Announcements to this learner, the newest first"
            columns={announcedColumns}
            rows={announced}
            keyOf={({ id }) => id}
          />
        </Section>
      )}
      {person.isChangeable ? (
        <>
          <CertificateActs courses={courses} />
          <AccountActs
            account={account}
            twoStep={person.twoStep}
            providers={person.providers}
            isOneself={person.isOneself}
          />
        </>
      ) : (
        <Section title="Account">
          <Nothing>This account has a role at the desk, so only an owner can change it.</Nothing>
        </Section>
      )}
      <Section title="What staff did here">
        <AuditTable rows={audit} empty="Nothing yet." isAboutOne />
      </Section>
    </>
  )
}

const wayNames: Partial<Record<string, string>> = { credential: 'Password', passkey: 'Passkey' }

function SignIn({ ways, twoStep, sessions, counted, events }: Person) {
  return (
    <Section title="Signing in">
      <Facts
        facts={[
          [
            'Ways to sign in',
            [
              ...new Set(
                ways.map(({ provider }) => wayNames[provider] ?? formatSignInMethod(provider)),
              ),
            ].join(', ') || 'None: send a link to set a password.',
          ],
          ['Two-step sign-in', twoStep ? 'On' : 'Off'],
          [
            'Devices',
            sessions.length === 0
              ? 'Signed in nowhere.'
              : sessions.map(({ device, lastUsedAt }) => (
                  <span key={device + lastUsedAt} className="block">
                    {device}, <Time at={lastUsedAt} />
                  </span>
                )),
          ],
          [
            'Counted attempts',
            counted.map(({ what, count, max }) => `${count} of ${max} ${what}`).join(', ') ||
              'None.',
          ],
        ]}
      />
      <details className="mt-4">
        <summary className="link min-h-8">The last 90 days</summary>
        {events.length === 0 ? (
          <p className="mt-3 text-muted">Nothing in the last 90 days.</p>
        ) : (
          <ul className="mt-3 grid gap-1">
            {events.map(({ id, kind, way, device, at }) => (
              <li key={id}>
                {eventTexts[kind](way ? formatSignInMethod(way) : 'a link')}
                <span className="text-muted">
                  {' '}
                  · {device ?? 'by staff'} · <Time at={at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </details>
    </Section>
  )
}

type CourseRow = Person['courses'][number]

const courseColumns = (uid: string): Column<CourseRow>[] => [
  {
    name: 'Course',
    of: ({ courseId, title }) => (
      <Link to={`/Desk/Courses/${courseId}/Learners/${uid}`} className="link">
        {title}
      </Link>
    ),
  },
  { name: 'Progress', of: ({ percent }) => `${percent}%`, isNumber: true },
  { name: 'Exam', of: examText, from: 'sm' },
  {
    name: 'Certificate',
    of: ({ certificate }) =>
      certificate && (
        <Link to={`/Certificate/${certificate.id}`} className="link">
          {certificate.revoked ? 'Revoked' : 'Issued'}
        </Link>
      ),
    from: 'md',
  },
  {
    name: 'Last opened',
    of: ({ lastAccessedAt }) => formatDate(new Date(lastAccessedAt).toISOString()),
    from: 'lg',
  },
]

function examText({ exam }: CourseRow): string {
  if (exam.best === null) {
    return '–'
  }

  return exam.passed ? `Passed, ${exam.best}%` : `Not passed, best ${exam.best}%`
}

const orderColumns: Column<Person['orders'][number]>[] = [
  {
    name: 'Order',
    of: ({ id, courseTitle }) => (
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
    of: (order) => (
      <Badge variant={order.state === 'paid' ? 'good' : 'plain'}>{orderStateText(order)}</Badge>
    ),
  },
  {
    name: 'Total',
    of: ({ totalMinor, currency }) => formatMoney(totalMinor, currency),
    isNumber: true,
  },
]

const announcedColumns: Column<Person['announced'][number]>[] = [
  {
    name: 'Subject',
    of: ({ id, subject }) => (
      <Link to={`/Desk/Announcements/${id}`} className="link [overflow-wrap:anywhere]">
        {subject}
      </Link>
    ),
  },
  {
    name: 'State',
    of: ({ state }) => (
      <Badge variant={state === 'sent' ? 'good' : 'plain'}>{mailStateTexts[state]}</Badge>
    ),
  },
  { name: 'When', of: ({ at }) => <Time at={at} />, from: 'sm' },
]

const mailColumns: Column<Person['mails'][number]>[] = [
  { name: 'Mail', of: ({ kind }) => kind },
  { name: 'State', of: ({ failedAt }) => (failedAt ? 'Given up' : 'Waits') },
  { name: 'Reason', of: ({ reason }) => reason ?? '–', from: 'sm' },
]
