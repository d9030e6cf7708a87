import { type ReactNode, use } from 'react'
import { ScriptNonce } from '~/ui/script-nonce'
import { isEnrolled, isLearnersCourse } from './browser-enrollments'
import { useOwnCourses } from './own-courses'

/**
 * The part of a page that depends on an enrollment. The HTML is the same for everyone, so a script
 * marks it before the first paint by what this browser remembers, and CSS shows the right half:
 * `in-data-[enrolled=true]:` for a course that was chosen, `in-data-[learner=true]:` for a course
 * of the account.
 */
export function EnrollmentMark({ courseId, children }: { courseId: string; children: ReactNode }) {
  const nonce = use(ScriptNonce)
  const { uid, enrollments } = useOwnCourses()

  return (
    <div
      data-course={courseId}
      data-enrolled={enrollments ? isEnrolled(enrollments, courseId) : undefined}
      data-learner={enrollments ? isLearnersCourse({ courseId, uid, enrollments }) : undefined}
      data-early={enrollments ? false : undefined}
      suppressHydrationWarning
    >
      {enrollments === null && <script nonce={nonce}>{markScript}</script>}
      {children}
    </div>
  )
}

/**
 * `early` until the page is hydrated, for a learner who opens the course without choosing a tab.
 */
const markScript = `try{const d=document.currentScript.parentElement.dataset,r=document.documentElement,e=JSON.parse(localStorage.getItem('enrollments')),l=e.uid!==null&&r.hasAttribute('data-signed-in');r.toggleAttribute('data-phone-bar',l);d.learner=l&&e.stored.includes(d.course);d.enrolled=e.waiting.concat(e.stored).includes(d.course);d.early=d.learner=='true'&&!/[?&]tab=/.test(location.search)}catch{}`
