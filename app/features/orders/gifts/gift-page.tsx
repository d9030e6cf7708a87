import { Gift } from 'lucide-react'
import { useRef } from 'react'
import { Form, useNavigation } from 'react-router'
import { CourseCover } from '~/features/catalog/course-card'
import { Button, ButtonLink } from '~/ui/button'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { useFocusOnChange } from '~/ui/hooks'
import { Notice } from '~/ui/notice'
import { type GiftStatus, giftPath } from './gift'
import { giftPageTexts } from './gift-texts'

/** A gift as its page shows it. */
export type GiftView = {
  code: string
  status: GiftStatus
  courseId: string
  courseTitle: string
  instructorName: string
  senderName: string
  message: string
}

type GiftPageProps = { gift: GiftView; isSignedIn: boolean; result: FormResult | undefined }

/** The page behind the link in the email to the recipient. Its button redeems the gift. */
export function GiftPage({ gift, isSignedIn, result }: GiftPageProps) {
  const { status, courseId, courseTitle, instructorName, senderName, message } = gift
  const problem = getFieldErrors(result).form
  const title = useRef<HTMLHeadingElement>(null)
  useFocusOnChange(status === 'yours', title)

  return (
    <div className="column py-10 sm:py-14">
      <article className="card mx-auto max-w-xl overflow-hidden [overflow-wrap:anywhere]">
        <div className="aspect-video">
          <CourseCover courseId={courseId} isEager sizes="(min-width: 40rem) 36rem, 100vw" />
        </div>
        <div className="p-6 text-center sm:p-8">
          <p className="inline-flex items-center gap-2 font-medium text-muted">
            <Gift aria-hidden="true" size={18} className="shrink-0" />
            {giftPageTexts.from(senderName)}
          </p>
          <h1
            ref={title}
            tabIndex={-1}
            className="mt-2 font-bold text-2xl tracking-tight outline-none sm:text-3xl"
          >
            {courseTitle}
          </h1>
          <p className="mt-1 text-muted">{instructorName}</p>
          {message && (
            <blockquote className="mt-5 whitespace-pre-line rounded-control bg-sunken px-5 py-4 text-left">
              {message}
            </blockquote>
          )}
          <p className="mt-5">{giftPageTexts.statuses[status]}</p>
          {problem && (
            <Notice variant="bad" className="mt-5">
              {problem}
            </Notice>
          )}
          <div className="mt-6 flex flex-wrap justify-center gap-3">
            <GiftButtons gift={gift} isSignedIn={isSignedIn} />
          </div>
        </div>
      </article>
    </div>
  )
}

function GiftButtons({ gift, isSignedIn }: Omit<GiftPageProps, 'result'>) {
  const { status, code, courseId } = gift
  const isBusy = useNavigation().formMethod !== undefined

  if (status === 'yours' || status === 'owned') {
    return <ButtonLink to={`/Learn/${courseId}`}>Go to the lessons</ButtonLink>
  }

  if (status !== 'open') {
    return (
      <ButtonLink to={`/OneCourse/${courseId}`} variant="secondary">
        See the course
      </ButtonLink>
    )
  }

  if (isSignedIn) {
    return (
      <Form method="post">
        <Button type="submit" disabled={isBusy}>
          Redeem the gift
        </Button>
      </Form>
    )
  }

  // Signing in leads back to this page.
  const parameters = new URLSearchParams({ from: giftPath(code) })
  return (
    <>
      <ButtonLink to={`/SignUp?${parameters}`}>Create an account</ButtonLink>
      <ButtonLink to={`/Login?${parameters}`} variant="secondary">
        Sign in
      </ButtonLink>
    </>
  )
}
