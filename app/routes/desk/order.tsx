/**
 * /Desk/Orders/:order: an order with everything that happened to it, and the forms for refunds and
 * payments.
 */
import { Link } from 'react-router'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle, type DetailItem, DetailList, Section, Time } from '~/features/desk/desk-parts'
import { requireDesk, requirePageData } from '~/features/desk/desk-request.server'
import { OrderBadge } from '~/features/desk/orders/order-columns'
import { OrderEvidence } from '~/features/desk/orders/order-evidence'
import { OrderForms, RefundRequests } from '~/features/desk/orders/order-forms'
import {
  loadOrderPage,
  type OrderPageData,
  orderActions,
} from '~/features/desk/orders/order-page.server'
import { type Column, DataTable } from '~/ui/data-table'
import { createClientAction } from '~/ui/form/client-action'
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
      <OrderForms {...page} />
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
