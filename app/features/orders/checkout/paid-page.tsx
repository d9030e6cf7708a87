import { CircleCheck, Clock, Gift, Info, TriangleAlert } from 'lucide-react'
import { ButtonLink } from '~/ui/button'
import { givenGiftTexts } from '../gifts/gift-texts'
import type { OrderStatus } from '../order-statuses'
import { paidPageTexts } from '../order-texts'
import { MessageCard } from './message-card'

/** A learner's own order, as the page after paying shows it. */
export type PaidOrder = {
  id: string
  courseId: string
  courseTitle: string
  status: OrderStatus
  totalMinor: number
  /** Whether money has moved for the order, even if it went back. */
  isCharged: boolean
  /** Whether the latest payment was refused. */
  hasFailed: boolean
  /** The recipient's email address if the order is a gift. */
  giftRecipient: string | null
}

/** The page to which the payment provider leads back. */
export function PaidPage({ order }: { order: PaidOrder }) {
  const { status, giftRecipient } = order
  switch (status) {
    case 'paid':
    case 'processing':
      if (giftRecipient) {
        return <PaidGift order={order} recipient={giftRecipient} />
      }

      return status === 'paid' ? <PaidCourse order={order} /> : <ProcessingCourse order={order} />

    case 'refunded':
    case 'canceled':
      return <EndedOrder order={order} />

    case 'open':
      return <UnpaidOrder order={order} />
  }
}

export function getPaidHeading({
  status,
  totalMinor,
  giftRecipient,
  hasFailed,
}: PaidOrder): string {
  if (status === 'open' && hasFailed) {
    return paidPageTexts.headingAfterFailure
  }

  if (status === 'refunded' && totalMinor === 0) {
    return paidPageTexts.headingOfEndedOrder
  }

  if (status === 'paid' && giftRecipient) {
    return givenGiftTexts.sentHeading
  }

  return paidPageTexts.headings[status]
}

function PaidGift({ order, recipient }: { order: PaidOrder; recipient: string }) {
  const text =
    order.status === 'paid'
      ? givenGiftTexts.sent(order.courseTitle, recipient)
      : givenGiftTexts.processing(recipient)

  return (
    <MessageCard icon={<Gift size={28} />} heading={getPaidHeading(order)} text={text}>
      <ButtonLink to="/Profile/purchases">Your purchases</ButtonLink>
    </MessageCard>
  )
}

function PaidCourse({ order }: { order: PaidOrder }) {
  const { id, courseId, courseTitle, totalMinor } = order
  const isFree = totalMinor === 0
  const text = isFree
    ? paidPageTexts.boughtForFree(courseTitle, id)
    : paidPageTexts.bought(courseTitle, id)

  return (
    <MessageCard icon={<CircleCheck size={28} />} heading={getPaidHeading(order)} text={text}>
      <ButtonLink to={`/Learn/${courseId}`}>Start the first lesson</ButtonLink>
      <ButtonLink to="/Profile/purchases" variant="secondary">
        {isFree ? 'Your purchases' : 'See the receipt'}
      </ButtonLink>
    </MessageCard>
  )
}

function ProcessingCourse({ order }: { order: PaidOrder }) {
  return (
    <MessageCard
      icon={<Clock size={28} />}
      heading={getPaidHeading(order)}
      text={paidPageTexts.processing}
    >
      <ButtonLink to="/Profile/purchases" variant="secondary">
        Your purchases
      </ButtonLink>
    </MessageCard>
  )
}

function EndedOrder({ order }: { order: PaidOrder }) {
  return (
    <MessageCard
      icon={<Info size={28} />}
      heading={getPaidHeading(order)}
      text={getEndedText(order)}
    >
      <ButtonLink to={`/OneCourse/${order.courseId}`}>Back to the course</ButtonLink>
      <ButtonLink to="/Profile/purchases" variant="secondary">
        Your purchases
      </ButtonLink>
    </MessageCard>
  )
}

function getEndedText({ isCharged, totalMinor }: PaidOrder): string {
  if (isCharged) {
    return paidPageTexts.moneyReturned
  }

  return totalMinor === 0 ? paidPageTexts.accessEnded : paidPageTexts.nothingCharged
}

function UnpaidOrder({ order }: { order: PaidOrder }) {
  const { id, courseId, hasFailed, giftRecipient } = order
  const checkoutPath = `/Checkout/${courseId}`

  return (
    <MessageCard
      icon={<TriangleAlert size={28} />}
      heading={getPaidHeading(order)}
      text={hasFailed ? paidPageTexts.failed : paidPageTexts.notArrived}
    >
      <ButtonLink to={giftRecipient ? `${checkoutPath}?gift=1` : checkoutPath}>
        Back to checkout
      </ButtonLink>
      {!hasFailed && (
        <ButtonLink to={`${checkoutPath}/paid?order=${id}`} variant="secondary" reloadDocument>
          Load again
        </ButtonLink>
      )}
    </MessageCard>
  )
}
