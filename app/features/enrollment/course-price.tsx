import { use } from 'react'
import { ScriptNonce } from '~/ui/script-nonce'
import { isLearnersCourse } from './browser-enrollments'
import { cardProgress } from './card-messages'
import { useOwnCourses } from './own-courses'

type PricedCourse = { id: string; price: string }

/** The price on a course's card; for a learner of the course, how far they are. */
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

  const own = courses.find((course) => course.id === id)

  // A new key makes a new element, without the attribute that the script below has set.
  return (
    <span key="own" className="inline-block min-w-26 text-right font-semibold text-good text-sm">
      {own && cardProgress(own)}
    </span>
  )
}

/**
 * Below a list of courses: hides the prices of a learner's own before the first paint, as far as
 * this browser remembers.
 */
export function HideOwnPrices() {
  const nonce = use(ScriptNonce)
  return useOwnCourses().enrollments === null && <script nonce={nonce}>{hideScript}</script>
}

const hideScript = `try{const e=JSON.parse(localStorage.getItem('enrollments'));if(e.uid!==null&&document.documentElement.hasAttribute('data-signed-in'))for(const p of document.querySelectorAll('[data-price]'))if(e.stored.includes(p.dataset.price))p.dataset.enrolled=''}catch{}`
