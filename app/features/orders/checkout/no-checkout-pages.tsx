/** The pages that replace checkout for a course that the learner can't or needn't buy. */
import { CircleCheck, Info } from 'lucide-react'
import { enrollmentsPath } from '~/features/enrollment/course-choices'
import { Button, ButtonLink } from '~/ui/button'
import { checkoutTexts } from '../order-texts'
import { MessageCard } from './message-card'

type OwnedCourse = {
  id: string
  title: string
  /** Whether the learner bought the course and removed it from their courses later. */
  isRemoved: boolean
  /** Whether the course can be bought as a gift. */
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
