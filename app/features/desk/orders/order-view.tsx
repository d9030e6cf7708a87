import { Link } from 'react-router'
import { refundRequestTexts } from '~/features/orders/refund-requests/refund-messages'
import { type Column, DataTable } from '~/ui/data-table'
import { Field, TextAreaField } from '~/ui/field'
import type { DataOf } from '../desk-pages.server'
import { DeskTitle, Facts, FoldedAct, Section, Time } from '../desk-parts'
import { OrderBadge } from './orders-view'

type Order = DataOf<'order'>

export function OrderView({ order, learner, left, happened, asked, used, sells }: Order) {
  const { id, courseId, courseTitle, state, total, buyer } = order
  const isOpen = state === 'open' || state === 'processing'
  return (
    <>
      <DeskTitle above={{ to: '/Desk/Orders', label: 'Orders' }}>{`Order ${id}`}</DeskTitle>
      <Facts
        facts={[
          ['State', <OrderBadge key="state" state={state} />],
          ['Total', total],
          [
            'Course',
            <Link key="course" to={`/Desk/Courses/${courseId}`} className="link">
              {courseTitle}
            </Link>,
          ],
          [
            'Learner',
            learner ? (
              <Link key="learner" to={`/Desk/People/${learner.uid}`} className="link">
                <bdi>{learner.name}</bdi>
              </Link>
            ) : (
              'Deleted'
            ),
          ],
          ['Buyer', [buyer.company, buyer.name, buyer.address, buyer.country, buyer.email].filter(Boolean).join(', ')],
          ['Can be given back', left.text],
        ]}
      />
      {sells && asked.length > 0 && <Asked asked={asked} left={left} />}
      {sells && (
        <div className="mt-6 grid items-start gap-3 lg:grid-cols-2">
          {left.minor > 0 && (
            <FoldedAct
              name="Give money back"
              act="refund"
              button="Give back"
              look="danger"
              values={{ left: String(left.minor) }}
            >
              <p className="text-muted">
                A full refund ends the access to the course; the learner’s work is kept. It can’t be undone.
              </p>
              <Field
                label={`Amount, up to ${left.text}`}
                name="amount"
                inputMode="decimal"
                placeholder="Everything that is left"
                hint="Like 10.50. Leave it empty for everything that is left."
              />
              <Field
                label="Reason"
                name="reason"
                required
                maxLength={500}
                hint="For the staff; learners don’t see it."
              />
            </FoldedAct>
          )}
          {isOpen && (
            <FoldedAct name="Record a bank transfer" act="mark-paid" button="Mark as paid">
              <p className="text-muted">The money has arrived another way. The learner is enrolled at once.</p>
            </FoldedAct>
          )}
        </div>
      )}
      {used && (
        <Section title="What the learner used">
          <Facts facts={usedFacts(used)} />
        </Section>
      )}
      <Section title="What happened to it">
        <DataTable caption="What happened to this order" columns={columns} rows={happened} keyOf={({ id }) => id} />
      </Section>
    </>
  )
}

/** The learner waits for an answer. */
function Asked({ asked, left }: Pick<Order, 'asked' | 'left'>) {
  return (
    <Section title="Waits for your answer">
      <div className="grid gap-3">
        {asked.map(({ id, kind, reason, statedAt }) => (
          <div key={id} className="card p-5 [overflow-wrap:anywhere]">
            <p className="font-medium">{refundRequestTexts[kind]}</p>
            {reason && <p className="mt-1">“{reason}”</p>}
            <p className="mt-1 text-muted text-sm">
              <Time at={statedAt} />
            </p>
          </div>
        ))}
      </div>
      <div className="mt-3 grid items-start gap-3 lg:grid-cols-2">
        <FoldedAct name="Grant it" act="grant" button="Give back">
          <p className="text-muted">
            The learner gets the credit note by email. What came by bank transfer, you have to send back yourself first.
          </p>
          <Field
            label={`Amount, up to ${left.text}`}
            name="amount"
            inputMode="decimal"
            placeholder="Everything that is left"
            hint="Like 10.50. Leave it empty for everything that is left."
          />
        </FoldedAct>
        {asked.some(({ kind }) => kind === 'refund') && (
          <FoldedAct name="Decline it" act="decline" button="Decline">
            <TextAreaField label="Reason" name="answer" required maxLength={500} hint="The learner gets it by email." />
          </FoldedAct>
        )}
      </div>
    </Section>
  )
}

function usedFacts({ enrolledAt, lastOpenedAt, lessons, exams, certificate, signIns }: NonNullable<Order['used']>) {
  const done = lessons.filter(({ isDone }) => isDone).length
  const handedIn = exams.filter(({ submittedAt }) => submittedAt)
  const time = (at: Date | string | null) => (at ? <Time at={at} /> : '–')
  return [
    ['Enrolled', time(enrolledAt)],
    ['Last opened', time(lastOpenedAt)],
    ['Lessons done', `${done} of ${lessons.length}`],
    ['Exams', handedIn.map(({ percent }) => `${percent}%`).join(', ') || '–'],
    ['Certificate', certificate ? time(certificate.issuedAt) : '–'],
    ['Sign-ins since the order', String(signIns.length)],
  ] as const
}

const columns: Column<Order['happened'][number]>[] = [
  {
    name: 'What',
    of: ({ what, state }) => (
      <>
        {what}
        {state && <span className="block text-muted text-sm">{state}</span>}
      </>
    ),
  },
  { name: 'Amount', of: ({ amount }) => amount, isNumber: true },
  { name: 'When', of: ({ at }) => <Time at={at} />, from: 'sm' },
]
