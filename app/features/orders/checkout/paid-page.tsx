import { CircleCheck, Clock, Gift, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { enrollmentsPath } from '~/features/enrollment/course-choices'
import { Button, ButtonLink } from '~/ui/button'
import { giftProcessing, giftSent, giftSentTo } from '../gifts/gift-texts'
import type { OrderState } from '../order-states'
import {
  accessEnded,
  alreadyOwned,
  bought,
  boughtForFree,
  endedHeading,
  failedHeading,
  moneyReturned,
  noLongerSold,
  notArrived,
  nothingCharged,
  orderGivenUp,
  paidHeadings,
  paidLater,
  paymentFailed,
} from '../order-texts'

export type PaidOrder = {
  id: string
  courseId: string
  courseTitle: string
  state: OrderState
  totalMinor: number
  /** Money has moved for it. */
  isCharged: boolean
  /** The last try to pay it was refused. */
  hasFailed: boolean
  giftFor: string | null
}

export function paidHeading({ state, totalMinor, giftFor, hasFailed }: PaidOrder): string {
  if (state === 'open' && hasFailed) {
    return failedHeading
  }

  if (state === 'refunded' && totalMinor === 0) {
    return endedHeading
  }

  return giftFor && state === 'paid' ? giftSent : paidHeadings[state]
}

/** Where the payment provider leads back to. */
export function PaidPage({ order }: { order: PaidOrder }) {
  const { courseId, courseTitle, state, id, totalMinor, isCharged, hasFailed, giftFor } = order
  if (giftFor && (state === 'paid' || state === 'processing')) {
    return (
      <Frame icon={<Gift size={28} />} heading={paidHeading(order)}>
        <p className="mt-2 text-muted">
          {state === 'paid' ? giftSentTo(courseTitle, giftFor) : giftProcessing(giftFor)}
        </p>
        <div className="mt-6">
          <ButtonLink to="/Profile/purchases">Your purchases</ButtonLink>
        </div>
      </Frame>
    )
  }

  if (state === 'paid') {
    return (
      <Frame icon={<CircleCheck size={28} />} heading={paidHeadings.paid}>
        <p className="mt-2 text-muted">
          {totalMinor === 0 ? boughtForFree(courseTitle, id) : bought(courseTitle, id)}
        </p>
        <div className="mt-6 flex flex-wrap justify-center gap-3">
          <ButtonLink to={`/Learn/${courseId}`}>Start the first lesson</ButtonLink>
          <ButtonLink to="/Profile/purchases" variant="secondary">
            {totalMinor === 0 ? 'Your purchases' : 'See the receipt'}
          </ButtonLink>
        </div>
      </Frame>
    )
  }

  if (state === 'processing') {
    return (
      <Frame icon={<Clock size={28} />} heading={paidHeadings.processing}>
        <p className="mt-2 text-muted">{paidLater}</p>
        <div className="mt-6">
          <ButtonLink to="/Profile/purchases" variant="secondary">
            Your purchases
          </ButtonLink>
        </div>
      </Frame>
    )
  }

  if (state === 'refunded' || state === 'canceled') {
    const textWithoutCharge = totalMinor === 0 ? accessEnded : nothingCharged

    return (
      <Frame icon={<Info size={28} />} heading={paidHeading(order)}>
        <p className="mt-2 text-muted">{isCharged ? moneyReturned : textWithoutCharge}</p>
        <div className="mt-6 flex flex-wrap justify-center gap-3">
          <ButtonLink to={`/OneCourse/${courseId}`}>Back to the course</ButtonLink>
          <ButtonLink to="/Profile/purchases" variant="secondary">
            Your purchases
          </ButtonLink>
        </div>
      </Frame>
    )
  }

  return (
    <Frame icon={<TriangleAlert size={28} />} heading={paidHeading(order)}>
      <p className="mt-2 text-muted">{hasFailed ? paymentFailed : notArrived}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        <ButtonLink to={giftFor ? `/Checkout/${courseId}?gift=1` : `/Checkout/${courseId}`}>
          Back to checkout
        </ButtonLink>
        {!hasFailed && (
          <ButtonLink
            to={`/Checkout/${courseId}/paid?order=${id}`}
            variant="secondary"
            reloadDocument
          >
            Load again
          </ButtonLink>
        )}
      </div>
    </Frame>
  )
}

/**
 * `wasLeft`: the learner bought the course and left it. `isSold`: the course can be bought as a
 * gift.
 */
type OwnedCourse = { id: string; title: string; wasLeft: boolean; isSold: boolean }

/** In the place of checkout, for a learner who has the course. */
export function OwnedPage({ course }: { course: OwnedCourse }) {
  if (course.wasLeft) {
    return <LeftPage course={course} />
  }

  return (
    <Frame icon={<CircleCheck size={28} />} heading={alreadyOwned}>
      <p className="mt-2 text-muted">{course.title} is in your courses. There is nothing to pay.</p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        <ButtonLink to={`/Learn/${course.id}`}>Go to the lessons</ButtonLink>
        {course.isSold && (
          <ButtonLink to={`/Checkout/${course.id}?gift=1`} variant="secondary">
            Give it as a gift
          </ButtonLink>
        )}
      </div>
    </Frame>
  )
}

function LeftPage({ course }: { course: OwnedCourse }) {
  return (
    <Frame icon={<CircleCheck size={28} />} heading={alreadyOwned}>
      <p className="mt-2 text-muted">
        You bought {course.title} and left it later. There is nothing to pay.
      </p>
      <form method="post" action={enrollmentsPath} className="mt-6">
        <input type="hidden" name="courseIds" value={course.id} />
        <input type="hidden" name="page" value="1" />
        <Button type="submit">Put it back in my courses</Button>
      </form>
    </Frame>
  )
}

/**
 * In the place of checkout: an order was begun, and the course was withdrawn before it was paid.
 */
export type UnavailableCourse = { title: string; orderId: string }

export function UnavailablePage({ course }: { course: UnavailableCourse }) {
  return (
    <Frame icon={<Info size={28} />} heading={noLongerSold}>
      <p className="mt-2 text-muted">{orderGivenUp(course)}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        <ButtonLink to="/AllCourses">See all courses</ButtonLink>
        <ButtonLink to="/Profile/purchases" variant="secondary">
          Your purchases
        </ButtonLink>
      </div>
    </Frame>
  )
}

function Frame({
  icon,
  heading,
  children,
}: {
  icon: ReactNode
  heading: string
  children: ReactNode
}) {
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
        {children}
      </div>
    </div>
  )
}
