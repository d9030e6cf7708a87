import { type SubmitEvent, use } from 'react'
import { Button, ButtonLink } from '~/ui/button'
import { ScriptNonce } from '~/ui/script-nonce'
import { isEnrolled } from './browser-enrollments'
import { enrollmentsAddress } from './course-choices'
import { useOwnCourses } from './own-courses'

/**
 * 'Enroll Now', which turns into '✓ Enrolled' at once. A script stores a visitor's course, so the
 * button waits for it; without scripts it is a form, which asks visitors to sign in.
 */
export function EnrollButton({ courseId }: { courseId: string }) {
  const nonce = use(ScriptNonce)
  const { enrollments, enroll } = useOwnCourses()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    enroll(courseId)
  }

  return (
    <form method="post" action={enrollmentsAddress} onSubmit={submit}>
      <input type="hidden" name="courseIds" value={courseId} />
      <input type="hidden" name="page" value="1" />
      <Button
        type="submit"
        disabled={enrollments === null}
        className={`w-full noscript:hidden ${enrolledLook}`}
      >
        {/* A new key makes a new element, which drops whatever the script below has written. It can't be pressed itself: */}
        {/* browsers forget a press whose element goes before it ends. */}
        <span
          key={enrollments ? 'known' : 'html'}
          suppressHydrationWarning
          className="pointer-events-none"
        >
          {enrollments && isEnrolled(enrollments, courseId) ? '✓ Enrolled' : 'Enroll Now'}
        </span>
      </Button>
      <noscript>
        <Button type="submit" className="w-full">
          Enroll Now
        </Button>
      </noscript>
      {enrollments === null && <script nonce={nonce}>{textScript}</script>}
    </form>
  )
}

const enrolledLook =
  'in-data-[enrolled=true]:opacity-100! in-data-[enrolled=true]:cursor-default! in-data-[enrolled=true]:bg-good-soft in-data-[enrolled=true]:text-good in-data-[enrolled=true]:hover:bg-good-soft'

const textScript = `{const f=document.currentScript.parentElement;if(f.closest('[data-enrolled=true]'))f.querySelector('span').textContent='✓ Enrolled'}`

/**
 * In the place of `EnrollButton` for a course that has to be bought. A learner who has it sees the
 * same as there.
 */
export function BuyButton({ courseId }: { courseId: string }) {
  return (
    <>
      <ButtonLink to={`/Checkout/${courseId}`} className="w-full in-data-[learner=true]:hidden">
        Enroll Now
      </ButtonLink>
      <p className="hidden min-h-11 items-center justify-center rounded-control bg-good-soft px-5 py-2.5 font-semibold text-good leading-tight in-data-[learner=true]:flex">
        ✓ Enrolled
      </p>
    </>
  )
}

/** How a visitor who enrolled goes on; in the place of the price. */
export function CreateAccountLink({ courseId }: { courseId: string }) {
  return (
    <ButtonLink
      to={`/SignUp?${new URLSearchParams({ from: `/Learn/${courseId}` })}`}
      className="min-h-13 w-full py-1.5"
    >
      Create your account and start
    </ButtonLink>
  )
}
