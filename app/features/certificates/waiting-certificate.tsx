import { useEffect, useRef } from 'react'
import { useNavigation, useRevalidator } from 'react-router'
import { certificateEarned, certificateOnItsWay, confirmToReceive } from '~/features/progress/course-work-messages'
import { ButtonLink } from '~/ui/button'
import { Notice } from '~/ui/notice'

type WaitingCertificateProps = {
  /** Of which course, where it is not plain. */
  courseTitle?: string | null
  addressConfirmed: boolean
}

/** Earned, but not issued yet: certificates go to confirmed addresses only. */
export function WaitingCertificate({ courseTitle = null, addressConfirmed }: WaitingCertificateProps) {
  if (addressConfirmed) return <CertificateOnItsWay courseTitle={courseTitle} />
  const action = (
    <ButtonLink to="/ConfirmEmail" look="secondary">
      Confirm your email address
    </ButtonLink>
  )
  return (
    <Notice look="info" action={action}>
      <strong className="font-semibold">{certificateEarned(courseTitle)}</strong> {confirmToReceive}
    </Notice>
  )
}

/** The server issues it within seconds; then the page shows it by itself. */
function CertificateOnItsWay({ courseTitle }: { courseTitle: string | null }) {
  const { revalidate } = useRevalidator()
  const navigation = useNavigation()
  const staying = useRef(true)
  useEffect(() => {
    staying.current = navigation.state === 'idle'
  }, [navigation.state])
  useEffect(() => poll(revalidate, () => staying.current && navigator.onLine), [revalidate])
  return <Notice look="good">{certificateOnItsWay(courseTitle)}</Notice>
}

export const pollEveryMs = 1_000
export const mostPolls = 15

/**
 * Polls once a second, at most 15 times. A later certificate shows at the next visit.
 *
 * @param canLook false postpones a poll, for example without a connection.
 * @returns a function that stops it.
 */
export function poll(look: () => Promise<void>, canLook: () => boolean): () => void {
  let looks = 0
  let timer = setTimeout(next, pollEveryMs)
  let stopped = false
  async function next() {
    if (canLook()) {
      looks++
      // The page shows the error of a failed poll; the next one may succeed.
      await look().catch(() => {})
    }
    if (!stopped && looks < mostPolls) timer = setTimeout(next, pollEveryMs)
  }
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
