import { useEffect, useRef } from 'react'
import { useNavigation, useRevalidator } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { Notice } from '~/ui/notice'

type WaitingCertificateProps = {
  /** Of which course, where it is not plain. */
  courseTitle?: string
  addressConfirmed: boolean
}

/** Earned, but not issued yet: certificates go to confirmed addresses only. */
export function WaitingCertificate({ courseTitle = 'this course', addressConfirmed }: WaitingCertificateProps) {
  if (addressConfirmed) return <CertificateOnItsWay courseTitle={courseTitle} />
  const action = (
    <ButtonLink to="/ConfirmEmail" look="secondary">
      Confirm your email address
    </ButtonLink>
  )
  return (
    <Notice look="info" action={action}>
      <strong className="font-semibold">You earned the certificate for {courseTitle}.</strong> Confirm your email
      address to receive your certificate.
    </Notice>
  )
}

const lookAgainMs = 1_000
const mostLooks = 15

/** The server issues it within seconds; then the page shows it by itself. */
function CertificateOnItsWay({ courseTitle }: { courseTitle: string }) {
  const { state, revalidate } = useRevalidator()
  const navigation = useNavigation()
  const looks = useRef(0)
  const quiet = state === 'idle' && navigation.state === 'idle'
  useEffect(() => {
    if (!quiet || looks.current >= mostLooks) return
    const timer = setTimeout(() => {
      looks.current++
      if (navigator.onLine) void revalidate()
    }, lookAgainMs)
    return () => clearTimeout(timer)
  }, [quiet, revalidate])
  return <Notice look="good">Your certificate for {courseTitle} is on its way.</Notice>
}
