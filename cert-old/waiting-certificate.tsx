import { useEffect } from 'react'
import { useNavigation, useRevalidator } from 'react-router'
import {
  certificateEarned,
  certificateOnItsWay,
  confirmToReceive,
} from '~/features/learning/progress/progress-messages'
import { ButtonLink } from '~/ui/button'
import { Notice } from '~/ui/notice'

type WaitingCertificateProps = {
  /** Of which course, where it is not plain. */
  courseTitle?: string | null
  addressConfirmed: boolean
}

/** Earned, but not issued yet: certificates go to confirmed addresses only. */
export function WaitingCertificate({
  courseTitle = null,
  addressConfirmed,
}: WaitingCertificateProps) {
  if (addressConfirmed) {
    return <CertificateOnItsWay courseTitle={courseTitle} />
  }

  const action = (
    <ButtonLink to="/ConfirmEmail" variant="secondary">
      Confirm your email address
    </ButtonLink>
  )

  return (
    <Notice variant="info" action={action}>
      <strong className="font-semibold">{certificateEarned(courseTitle)}</strong> {confirmToReceive}
    </Notice>
  )
}

const pollEveryMs = 1_500

/** The server issues it within seconds; then the page shows it by itself. */
function CertificateOnItsWay({ courseTitle }: { courseTitle: string | null }) {
  const { revalidate } = useRevalidator()
  const isIdle = useNavigation().state === 'idle'
  useEffect(() => {
    if (!isIdle) {
      return
    }

    const timer = setInterval(() => navigator.onLine && void revalidate(), pollEveryMs)
    return () => clearInterval(timer)
  }, [isIdle, revalidate])

  return <Notice variant="good">{certificateOnItsWay(courseTitle)}</Notice>
}
