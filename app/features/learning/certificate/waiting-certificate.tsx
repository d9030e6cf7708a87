import { useEffect, useRef } from 'react'
import { useNavigation, useRevalidator } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { lookAgain } from './look-again'

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

/** The server issues it within seconds; then the page shows it by itself. */
function CertificateOnItsWay({ courseTitle }: { courseTitle: string }) {
  const { revalidate } = useRevalidator()
  const navigation = useNavigation()
  const staying = useRef(true)
  useEffect(() => {
    staying.current = navigation.state === 'idle'
  }, [navigation.state])
  useEffect(() => lookAgain(revalidate, () => staying.current && navigator.onLine), [revalidate])
  return <Notice look="good">Your certificate for {courseTitle} is on its way.</Notice>
}
