import { use } from 'react'
import { ScriptNonce } from '~/ui/script-nonce'
import { isLearnersCourse } from './browser-enrollments'
import { cardProgress } from './card-messages'
import { useOwnCourses } from './own-courses'

type PricedCourse = { id: string; price: string }

/** The price on a course card. A learner of the course sees their progress instead. */
export function CoursePrice({ course: { id, price } }: { course: PricedCourse }) {
  const { uid, enrollments, courses } = useOwnCourses()
  if (!isLearnersCourse({ courseId: id, uid, enrollments })) {
    return (
      <span
        data-price={id}
        suppressHydrationWarning
        className="data-enrolled:invisible data-enrolled:inline-block data-enrolled:min-w-26"
      >
        {price}
      </span>
    )
  }

  const ownCourse = courses.find((course) => course.id === id)

  // The key makes React create a new element, without the attribute that `hideScript` has set. Every
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
 * Hides the prices of a learner's own courses before the first paint, according to the browser's
 * storage. Place it below the list of courses.
 */
export function HidePricesOfOwnedCourses() {
  const nonce = use(ScriptNonce)
  const { enrollments } = useOwnCourses()
  const isHydrated = enrollments !== null
  return !isHydrated && <script nonce={nonce}>{hideScript}</script>
}

const hideScript = `try{const e=JSON.parse(localStorage.getItem('enrollments'));if(e.uid!==null&&document.documentElement.hasAttribute('data-signed-in'))for(const p of document.querySelectorAll('[data-price]'))if(e.stored.includes(p.dataset.price))p.dataset.enrolled=''}catch{}`
