import { use } from 'react'
import { ScriptNonce } from '~/ui/hooks'
import { isEnrolledInAccount } from './browser-enrollments'
import { type EnrolledCourse, useOwnCourses } from './own-courses'

/**
 * The HTML of a page with prices is the same for everyone. So it contains all prices, and a script
 * hides those of the learner's courses before the first paint. After hydration, React shows the
 * learner's progress in their place.
 */

type PricedCourse = { id: string; price: string }

/** The price on a course card. A learner of the course sees their progress instead. */
export function CoursePrice({ course: { id, price } }: { course: PricedCourse }) {
  const { uid, enrollments, courses } = useOwnCourses()
  if (!isEnrolledInAccount(enrollments, uid, id)) {
    // A hidden price keeps the width of the progress, so that nothing moves.
    return (
      <span
        data-price={id}
        // The script sets `data-enrolled` before React starts.
        suppressHydrationWarning
        className="data-enrolled:invisible data-enrolled:inline-block data-enrolled:min-w-26"
      >
        {price}
      </span>
    )
  }

  // While the progress is still loading, the course is not in the list.
  const ownCourse = courses.find((course) => course.id === id)

  // The key makes React create a new element, without the attribute that the script has set. Every
  // price that the script has hidden gets this element after hydration: until the session is known,
  // the browser's storage decides in both places. If the session is that of another learner, the
  // price comes back as a new element, too.
  return (
    <span key="own" className="inline-block min-w-26 text-right font-semibold text-good text-sm">
      {ownCourse && cardProgress(ownCourse)}
    </span>
  )
}

/**
 * Hides the prices of the learner's courses before the first paint, according to the browser's
 * storage. Place it below the list of courses, because the script runs where it stands.
 */
export function HidePricesOfEnrolledCourses() {
  const nonce = use(ScriptNonce)
  const { enrollments } = useOwnCourses()
  const isHydrated = enrollments !== null
  if (isHydrated) {
    return null
  }

  return <script nonce={nonce}>{hidePricesScript}</script>
}

/** Reads what `storeEnrollments` of `browser-enrollments.ts` has written. */
const hidePricesScript = `
try {
  const enrollments = JSON.parse(localStorage.getItem('enrollments'))
  const isSignedIn = document.documentElement.hasAttribute('data-signed-in')
  if (enrollments.uid !== null && isSignedIn) {
    for (const price of document.querySelectorAll('[data-price]')) {
      if (enrollments.stored.includes(price.dataset.price)) {
        price.dataset.enrolled = ''
      }
    }
  }
} catch {}
`

/** The text that replaces the price on the card of a learner's own course. */
function cardProgress({ percent, completed }: EnrolledCourse): string {
  return completed ? 'Completed' : `Enrolled ${percent}%`
}
