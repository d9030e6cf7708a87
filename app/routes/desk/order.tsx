import { Link } from 'react-router'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { DeskPage, revalidateAfterRefusal } from '~/features/desk/desk-page'
import { CollapsedActionForm, DeskTitle, Facts, Section, Time } from '~/features/desk/desk-parts'
import { requireDesk, requireFound } from '~/features/desk/desk-request.server'
import { OrderEvidence } from '~/features/desk/orders/order-evidence'
import {
  loadOrderPage,
  type OrderPageData,
  orderActions,
} from '~/features/desk/orders/order-page.server'
import { OrderBadge } from '~/features/desk/orders/order-table'
import { amountExample } from '~/features/school/money'
import { maxReasonLength } from '~/features/staff/reason'
import { type Column, DataTable } from '~/ui/data-table'
import { createClientAction } from '~/ui/form/client-action'
import { Field } from '~/ui/form/field'
import type { Route } from './+types/order'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'see orders')
  return requireFound(await loadOrderPage(desk))
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'see orders')
  return handleDeskForm(args.request, desk, orderActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateAfterRefusal

export default function OrderRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <OrderView {...loaderData} />
    </DeskPage>
  )
}

type Order = OrderPageData

function OrderView({
  order,
  learner,
  remaining,
  waitingRequests,
  evidence,
  timeline,
  gift,
  disputes,
  hasShop,
}: Order) {
  const { id, courseId, courseTitle, state, total, buyer, couponCode, waiver, waivedAt } = order
  const isFree = order.totalMinor === 0
  const isUnpaid = state === 'open' || state === 'processing' || state === 'canceled'

  return (
    <>
      <DeskTitle above={{ to: '/Desk/Orders', label: 'Orders' }}>{`Order ${id}`}</DeskTitle>
      <Facts
        facts={[
          ['State', <OrderBadge key="state" {...order} />],
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
          [
            'Buyer',
            [buyer.company, buyer.name, buyer.address, buyer.country, buyer.email]
              .filter(Boolean)
              .join(', '),
          ],
          ['Can be given back', remaining.text],
          ...(couponCode ? [['Coupon', couponCode] as const] : []),
          ...(gift ? [['Gift for', giftText(gift)] as const] : []),
          ...(waiver && waivedAt
            ? [['Waived withdrawal', <Waived key="waived" text={waiver} at={waivedAt} />] as const]
            : []),
          ...(disputes.length > 0 ? [['Disputed', disputes.join(', ')] as const] : []),
        ]}
      />
      {waitingRequests.length > 0 && (
        <Request
          waitingRequests={waitingRequests}
          remaining={remaining}
          currency={order.currency}
          hasShop={hasShop}
        />
      )}
      {(hasShop || isFree || gift?.canBeResent) && (
        <div className="mt-6 grid items-start gap-3 lg:grid-cols-2">
          {hasShop && remaining.minor > 0 && waitingRequests.length === 0 && (
            <CollapsedActionForm
              name="Give money back"
              act="refund"
              button="Give back"
              variant="danger"
              values={{ left: String(remaining.minor) }}
            >
              <p className="text-muted">
                A full refund ends the access to the course; the learner’s work is kept. It can’t be
                undone.
              </p>
              <AmountField remaining={remaining} currency={order.currency} />
              <ReasonField />
            </CollapsedActionForm>
          )}
          {isFree && state === 'paid' && (
            <CollapsedActionForm name="End the access" act="end" button="End it" variant="danger">
              <p className="text-muted">
                Nothing was paid, so nothing is refunded. The course closes for the learner, who
                gets an email; their work is kept. A coupon stays used.
              </p>
              <ReasonField />
            </CollapsedActionForm>
          )}
          {hasShop && isUnpaid && learner && (
            <CollapsedActionForm
              name="Record a bank transfer"
              act="mark-paid"
              button="Mark as paid"
            >
              <p className="text-muted">
                {gift
                  ? 'The money has arrived another way. The gift is sent at once.'
                  : 'The money has arrived another way. The learner is enrolled at once.'}
              </p>
            </CollapsedActionForm>
          )}
          {gift?.canBeResent && (
            <CollapsedActionForm name="Send the gift again" act="resend-gift" button="Send">
              <Field
                label="Email address"
                name="to"
                type="email"
                autoComplete="off"
                defaultValue={gift.recipient ?? ''}
                hint="Another address gets a new link, and the old one stops working."
              />
            </CollapsedActionForm>
          )}
        </div>
      )}
      {evidence && <OrderEvidence used={evidence} isDisputed={disputes.length > 0} />}
      <Section title="What happened to it">
        <DataTable
          caption="What happened to this order"
          columns={columns}
          rows={timeline}
          keyOf={({ id }) => id}
        />
      </Section>
    </>
  )
}

/** A learner waits for an answer. */
function Request({
  waitingRequests,
  remaining,
  currency,
  hasShop,
}: Pick<Order, 'waitingRequests' | 'remaining' | 'hasShop'> & { currency: string }) {
  const isWithdrawal = waitingRequests.some(({ kind }) => kind === 'withdrawal')
  return (
    <Section title="The learner wants the money back">
      {waitingRequests.map(({ kind, reason }) => (
        <p key={kind} className="card mb-3 p-5 [overflow-wrap:anywhere]">
          {reason || 'They gave no reason.'}
        </p>
      ))}
      <div className="grid items-start gap-3 lg:grid-cols-2">
        {hasShop && (
          <CollapsedActionForm
            name="Give the money back"
            act="grant"
            button="Give back"
            variant="primary"
          >
            <p className="text-muted">The learner gets the credit note by email.</p>
            {isWithdrawal ? (
              <p>{`All of it: ${remaining.text}.`}</p>
            ) : (
              <AmountField remaining={remaining} currency={currency} />
            )}
          </CollapsedActionForm>
        )}
        {!isWithdrawal && (
          <CollapsedActionForm name="Decline" act="decline" button="Decline" variant="danger">
            <Field
              label="Reason"
              name="reason"
              required
              maxLength={maxReasonLength}
              hint="It is mailed to the learner."
            />
          </CollapsedActionForm>
        )}
      </div>
    </Section>
  )
}

function giftText({ recipient, redeemedAt }: NonNullable<Order['gift']>) {
  return (
    <>
      {recipient ?? 'Deleted'}
      {redeemedAt ? ', redeemed ' : ', not redeemed'}
      {redeemedAt && <Time at={redeemedAt} />}
    </>
  )
}

function Waived({ text, at }: { text: string; at: Date }) {
  return (
    <>
      <Time at={at} />: “{text}”
    </>
  )
}

function AmountField({ remaining, currency }: Pick<Order, 'remaining'> & { currency: string }) {
  return (
    <Field
      label={`Amount, up to ${remaining.text}`}
      name="amount"
      inputMode="decimal"
      placeholder="Everything that is left"
      hint={`Like ${amountExample(currency)}. Leave it empty for everything that is left.`}
    />
  )
}

function ReasonField() {
  return (
    <Field
      label="Reason"
      name="reason"
      required
      maxLength={maxReasonLength}
      hint="Only staff see it."
    />
  )
}

const columns: Column<Order['timeline'][number]>[] = [
  {
    name: 'What',
    of: ({ text, state }) => (
      <>
        {text}
        {state && <span className="block text-muted text-sm">{state}</span>}
      </>
    ),
  },
  { name: 'Amount', of: ({ amount }) => amount, isNumber: true },
  { name: 'When', of: ({ at }) => <Time at={at} />, from: 'sm' },
]
