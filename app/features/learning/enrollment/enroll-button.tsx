import { type SubmitEvent, use } from 'react'
import { Link } from 'react-router'
import { Button } from '~/ui/button'
import { ScriptNonce } from '~/ui/script-nonce'
import { afterChoice, type BrowserEnrollments, type ChangeEnrollments, isEnrolled } from './browser-enrollments'
import { enrollmentsAddress } from './enrollment-sync'

type EnrollProps = {
  courseId: string
  /** Undefined while the session is being determined, null for a visitor. */
  uid: string | null | undefined
  /** Null in the server's HTML and until the page is hydrated. */
  enrollments: BrowserEnrollments | null
  onChange: ChangeEnrollments
}

/**
 * 'Enroll Now', which turns into '✓ Enrolled' at once. Without a script it is a form, which asks visitors to sign in.
 */
export function EnrollButton({ courseId, enrollments, onChange }: EnrollProps) {
  const nonce = use(ScriptNonce)
  const enrolled = enrollments !== null && isEnrolled(enrollments, courseId)
  const enroll = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onChange((before) => afterChoice(before, courseId))
  }
  return (
    <form
      method="post"
      action={enrollmentsAddress}
      onSubmit={enroll}
      data-course={courseId}
      data-enrolled={enrollments ? enrolled : undefined}
      suppressHydrationWarning
      className="group/enroll"
    >
      <input type="hidden" name="courseIds" value={courseId} />
      <input type="hidden" name="page" value="1" />
      <Button type="submit" data-needs-script="" className={`w-full ${looks}`}>
        {/* A new key makes a new element, which drops whatever the script below has written. */}
        <span key={enrollments ? 'known' : 'html'} suppressHydrationWarning>
          {enrolled ? '✓ Enrolled' : 'Enroll Now'}
        </span>
      </Button>
      {enrollments === null && <script nonce={nonce}>{earlyScript}</script>}
    </form>
  )
}

const looks =
  'group-data-[enrolled=true]/enroll:cursor-default! group-data-[enrolled=true]/enroll:bg-good-soft group-data-[enrolled=true]/enroll:text-good group-data-[enrolled=true]/enroll:hover:bg-good-soft'

/** The page's HTML is the same for everyone; before the first paint, this script applies what this browser knows. */
const earlyScript = `try{const f=document.currentScript.parentElement,e=JSON.parse(localStorage.getItem('enrollments'));if(e.waiting.concat(e.stored).includes(f.dataset.course)){f.dataset.enrolled='true';f.querySelector('span').textContent='✓ Enrolled'}}catch{}`

/** Where an enrollment is kept, in the same number of lines before and after, so that nothing moves. */
export function EnrollNote(props: EnrollProps) {
  return (
    <p role="status" className="min-h-[2lh] text-sm text-muted">
      {noteOf(props)}
    </p>
  )
}

/** The lessons are open as soon as the account has the course. */
function noteOf({ courseId, uid, enrollments }: EnrollProps) {
  const enrolled = enrollments !== null && isEnrolled(enrollments, courseId)
  if (!enrolled && enrollments?.refusal) return enrollments.refusal
  if (uid && enrollments?.waiting.includes(courseId)) return 'Enrolled. Adding this course to your account...'
  if (uid)
    return enrolled ? <>This course is in your account. {link(`/Learn/${courseId}`, 'Continue learning')}</> : null
  if (!enrolled) return 'No account needed. This browser remembers your course until you sign in.'
  return <>You’re enrolled in this browser. {link('/Login', 'Sign in')} to add the course to your account.</>
}

function link(to: string, text: string) {
  return (
    <Link to={to} className="font-semibold text-ink underline underline-offset-2 hover:text-accent">
      {text}
    </Link>
  )
}
