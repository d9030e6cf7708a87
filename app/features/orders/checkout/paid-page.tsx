import { CircleCheck, Clock, Gift, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { enrollmentsPath } from '~/features/enrollment/course-choices'
import { Button, ButtonLink } from '~/ui/button'
import { givenGiftTexts } from '../gifts/gift-texts'
import type { OrderStatus } from '../order-statuses'
import { checkoutTexts, paidPageTexts } from '../order-texts'

/** A learner's own order, as the page after paying shows it. */
export type PaidOrder = {
  id: string
  courseId: string
  courseTitle: string
  status: OrderStatus
  totalMinor: number
  /** Money has moved for the order, even if it went back. */
  isCharged: boolean
  /** The latest payment was refused. */
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

type OwnedCourse = {
  id: string
  title: string
  /** The learner bought the course and removed it from their courses later. */
  isRemoved: boolean
  /** The course can be bought as a gift. */
  isForSale: boolean
}

/** Replaces checkout for a learner who has the course. */
export function OwnedPage({ course }: { course: OwnedCourse }) {
  const icon = <CircleCheck size={28} />

  if (course.isRemoved) {
    return (
      <MessageCard
        icon={icon}
        heading={checkoutTexts.alreadyOwned}
        text={`You bought ${course.title} and left it later. There is nothing to pay.`}
      >
        <form method="post" action={enrollmentsPath}>
          <input type="hidden" name="courseIds" value={course.id} />
          <input type="hidden" name="page" value="1" />
          <Button type="submit">Put it back in my courses</Button>
        </form>
      </MessageCard>
    )
  }

  return (
    <MessageCard
      icon={icon}
      heading={checkoutTexts.alreadyOwned}
      text={`${course.title} is in your courses. There is nothing to pay.`}
    >
      <ButtonLink to={`/Learn/${course.id}`}>Go to the lessons</ButtonLink>
      {course.isForSale && (
        <ButtonLink to={`/Checkout/${course.id}?gift=1`} variant="secondary">
          Give it as a gift
        </ButtonLink>
      )}
    </MessageCard>
  )
}

/** A course that was taken off sale, and the order that the learner had not paid by then. */
export type UnavailableCourse = { title: string; orderId: string }

/** Replaces checkout for a course that was taken off sale before the learner paid. */
export function UnavailablePage({ course }: { course: UnavailableCourse }) {
  return (
    <MessageCard
      icon={<Info size={28} />}
      heading={checkoutTexts.noLongerSold}
      text={checkoutTexts.unpaidOrder(course)}
    >
      <ButtonLink to="/AllCourses">See all courses</ButtonLink>
      <ButtonLink to="/Profile/purchases" variant="secondary">
        Your purchases
      </ButtonLink>
    </MessageCard>
  )
}

type MessageCardProps = {
  icon: ReactNode
  heading: string
  text: string
  /** The buttons below the text. */
  children: ReactNode
}

function MessageCard({ icon, heading, text, children }: MessageCardProps) {
  return (
    <div className="column py-14">
      <div className="card mx-auto max-w-xl p-6 text-center [overflow-wrap:anywhere] sm:p-8">
        <div
          aria-hidden="true"
          className="mx-auto mb-4 grid size-14 place-items-center rounded-full bg-accent-soft text-accent"
        >
          {icon}
        </div>
        <h1 className="font-bold text-2xl tracking-tight">{heading}</h1>
        <p className="mt-2 text-muted">{text}</p>
        <div className="mt-6 flex flex-wrap justify-center gap-3">{children}</div>
      </div>
    </div>
  )
}
