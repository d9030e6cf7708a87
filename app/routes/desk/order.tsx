/**
 * /Desk/Orders/:order: an order with everything that happened to it, and the forms for refunds and
 * payments.
 */
import { Link } from 'react-router'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { CollapsedActionForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle, type DetailItem, DetailList, Section, Time } from '~/features/desk/desk-parts'
import { requireDesk, requirePageData } from '~/features/desk/desk-request.server'
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
import { byCount, formatNumber } from '~/ui/format-count'
import type { Route } from './+types/order'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'see orders')
  return requirePageData(await loadOrderPage(desk))
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'see orders')
  return handleDeskForm(args.request, desk, orderActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function OrderRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <OrderView {...loaderData} />
    </DeskPage>
  )
}

function OrderView(page: OrderPageData) {
  const { order, remaining, waitingRequests, evidence, timeline, disputes, hasShop } = page

  return (
    <>
      <DeskTitle
        parentPage={{ to: '/Desk/Orders', label: 'Orders' }}
      >{`Order ${order.id}`}</DeskTitle>
      <DetailList items={listDetails(page)} />
      {waitingRequests.length > 0 && (
        <RefundRequests
          waitingRequests={waitingRequests}
          remaining={remaining}
          currency={order.currency}
          hasShop={hasShop}
        />
      )}
      <OrderActions {...page} />
      {evidence && <OrderEvidence evidence={evidence} isDisputed={disputes.length > 0} />}
      <Section title="What happened to it">
        <DataTable
          caption="What happened to this order"
          columns={timelineColumns}
          rows={timeline}
          getRowKey={({ id }) => id}
        />
      </Section>
    </>
  )
}

function listDetails(page: OrderPageData): DetailItem[] {
  const { order, learner, remaining, gift, disputes } = page
  const { courseId, courseTitle, total, buyer, couponCode, waiver, waivedAt } = order
  const buyerDetails = [buyer.company, buyer.name, buyer.address, buyer.country, buyer.email]

  const details: DetailItem[] = [
    ['State', <OrderBadge key="state" {...order} />],
    ['Total', total],
    [
      'Course',
      <Link key="course" to={`/Desk/Courses/${courseId}`} className="link">
        {courseTitle}
      </Link>,
    ],
    ['Learner', <LearnerLink key="learner" learner={learner} />],
    ['Buyer', buyerDetails.filter(Boolean).join(', ')],
    ['Can be given back', remaining.text],
  ]

  if (order.withdrawalDays !== null && order.refundDays !== null) {
    details.push(
      ['Withdrawal', formatRefundPeriod(order.withdrawalDays)],
      ['Refund request', formatRefundPeriod(order.refundDays)],
    )
  }

  if (couponCode) {
    details.push(['Coupon', couponCode])
  }

  if (gift) {
    details.push(['Gift for', <GiftRecipient key="gift" gift={gift} />])
  }

  if (waiver && waivedAt) {
    details.push(['Waived withdrawal', <Waiver key="waiver" text={waiver} at={waivedAt} />])
  }

  if (disputes.length > 0) {
    details.push(['Disputed', disputes.join(', ')])
  }

  return details
}

/** Says for how long the buyer can get the money back, as checkout promised. */
function formatRefundPeriod(days: number): string {
  if (days === 0) {
    return 'not possible'
  }

  return byCount(days, '1 day after the payment', `${formatNumber(days)} days after the payment`)
}

function LearnerLink({ learner }: Pick<OrderPageData, 'learner'>) {
  if (learner === null) {
    return 'Deleted'
  }

  return (
    <Link to={`/Desk/People/${learner.uid}`} className="link">
      <bdi>{learner.name}</bdi>
    </Link>
  )
}

/** Shows a form for each action that the order allows now. */
function OrderActions({
  order,
  learner,
  remaining,
  waitingRequests,
  gift,
  hasShop,
}: OrderPageData) {
  const { status, currency } = order
  const isFree = order.totalMinor === 0
  const isUnpaid = status === 'open' || status === 'processing' || status === 'canceled'
  const canRefund = hasShop && remaining.minor > 0 && waitingRequests.length === 0
  const canMarkPaid = hasShop && isUnpaid && learner !== null

  if (!hasShop && !isFree && !gift?.canBeResent) {
    return null
  }

  return (
    <div className="mt-6 grid items-start gap-3 lg:grid-cols-2">
      {canRefund && <RefundForm remaining={remaining} currency={currency} />}
      {isFree && status === 'paid' && <EndAccessForm />}
      {canMarkPaid && <MarkPaidForm isGift={gift !== null} />}
      {gift?.canBeResent && <ResendGiftForm recipient={gift.recipient} />}
    </div>
  )
}

function RefundForm({ remaining, currency }: AmountFieldProps) {
  return (
    <CollapsedActionForm
      title="Give money back"
      intent="refund"
      buttonText="Give back"
      variant="danger"
      hiddenValues={{ left: String(remaining.minor) }}
    >
      <p className="text-muted">
        A full refund ends the access to the course; the learner’s work is kept. It can’t be undone.
      </p>
      <AmountField remaining={remaining} currency={currency} />
      <ReasonField />
    </CollapsedActionForm>
  )
}

function EndAccessForm() {
  return (
    <CollapsedActionForm title="End the access" intent="end" buttonText="End it" variant="danger">
      <p className="text-muted">
        Nothing was paid, so nothing is refunded. The course closes for the learner, who gets an
        email; their work is kept. A coupon stays used.
      </p>
      <ReasonField />
    </CollapsedActionForm>
  )
}

function MarkPaidForm({ isGift }: { isGift: boolean }) {
  return (
    <CollapsedActionForm
      title="Record a bank transfer"
      intent="mark-paid"
      buttonText="Mark as paid"
    >
      <p className="text-muted">
        {isGift
          ? 'The money has arrived another way. The gift is sent at once.'
          : 'The money has arrived another way. The learner is enrolled at once.'}
      </p>
    </CollapsedActionForm>
  )
}

function ResendGiftForm({ recipient }: { recipient: string | null }) {
  return (
    <CollapsedActionForm title="Send the gift again" intent="resend-gift" buttonText="Send">
      <Field
        label="Email address"
        name="to"
        type="email"
        autoComplete="off"
        defaultValue={recipient ?? ''}
        hint="Another address gets a new link, and the old one stops working."
      />
    </CollapsedActionForm>
  )
}

/** Shows the learner's refund requests that wait for a decision, and the forms that decide. */
function RefundRequests({
  waitingRequests,
  remaining,
  currency,
  hasShop,
}: Pick<OrderPageData, 'waitingRequests' | 'remaining' | 'hasShop'> & { currency: string }) {
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
            title="Give the money back"
            intent="grant"
            buttonText="Give back"
            variant="primary"
            hiddenValues={{ left: String(remaining.minor) }}
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
          <CollapsedActionForm
            title="Decline"
            intent="decline"
            buttonText="Decline"
            variant="danger"
          >
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

function GiftRecipient({ gift }: { gift: NonNullable<OrderPageData['gift']> }) {
  const { recipient, redeemedAt } = gift

  return (
    <>
      {recipient ?? 'Deleted'}
      {redeemedAt ? ', redeemed ' : ', not redeemed'}
      {redeemedAt && <Time at={redeemedAt} />}
    </>
  )
}

function Waiver({ text, at }: { text: string; at: Date }) {
  return (
    <>
      <Time at={at} />: “{text}”
    </>
  )
}

type AmountFieldProps = Pick<OrderPageData, 'remaining'> & { currency: string }

function AmountField({ remaining, currency }: AmountFieldProps) {
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

const timelineColumns: Column<OrderPageData['timeline'][number]>[] = [
  {
    name: 'What',
    cell: ({ text, status }) => (
      <>
        {text}
        {status && <span className="block text-muted text-sm">{status}</span>}
      </>
    ),
  },
  { name: 'Amount', cell: ({ amount }) => amount, isNumber: true },
  { name: 'When', cell: ({ at }) => <Time at={at} />, showFrom: 'sm' },
]
