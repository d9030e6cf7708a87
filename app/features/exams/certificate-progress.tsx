import { Award } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { lessonRules } from '~/features/learning/lessons/kinds/lesson-rules'
import { ButtonLink } from '~/ui/button'
import { byCount } from '~/ui/format-count'
import { Notice } from '~/ui/notice'
import { ProgressBar } from '~/ui/progress-bar'
import { examMessages, formatLessonsToFinish } from './exam-messages'
import { type ExamOverview, isCertificateWaiting } from './exam-page-data'

type CertificateProgressProps = {
  overview: ExamOverview
  /** What is displayed for a certificate that is earned, but not issued yet. */
  waitingCertificate: ReactNode
}

/** Shows what the learner still needs for the certificate, or the certificate itself. */
export function CertificateProgress({ overview, waitingCertificate }: CertificateProgressProps) {
  const { course, certificate, completed, remainingLessons, passed } = overview
  if (certificate?.revoked) {
    return (
      <Notice variant="warn" className="mt-6">
        {examMessages.certificate.revoked}{' '}
        <Link
          to={`/Certificate/${certificate.id}`}
          className="font-semibold underline underline-offset-2"
        >
          See why
        </Link>
      </Notice>
    )
  }

  if (certificate) {
    return (
      <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3 rounded-card bg-good-soft px-5 py-4">
        <Award aria-hidden="true" className="shrink-0 text-good" />
        <p className="min-w-52 flex-1 font-semibold text-good">{examMessages.certificate.earned}</p>
        <ButtonLink to={`/Certificate/${certificate.id}`} variant="secondary">
          See your certificate
        </ButtonLink>
      </div>
    )
  }

  if (isCertificateWaiting(overview)) {
    return <div className="mt-6">{waitingCertificate}</div>
  }

  if (passed) {
    return (
      <Notice variant="good" className="mt-6">
        {examMessages.passedExam} {formatLessonsToFinish(remainingLessons)}{' '}
        <Link to={`/Learn/${course.id}`} className="font-semibold underline underline-offset-2">
          Continue learning
        </Link>
      </Notice>
    )
  }

  return (
    <p className="mt-4 max-w-2xl text-lg text-muted">
      {completed ? examMessages.certificate.passExam : describeExamBeforeLessons(remainingLessons)}
    </p>
  )
}

/** Compares the lessons done with those that the certificate counts, and lists what is missing. */
export function LessonCounts({ overview }: { overview: ExamOverview }) {
  const { course, totalLessons, remainingLessons, notCounted } = overview
  const doneLessons = totalLessons - remainingLessons
  const counts = [
    { name: examMessages.lessonCounts.done, count: doneLessons },
    { name: examMessages.lessonCounts.counted, count: doneLessons - notCounted.length },
  ]

  return (
    <section aria-labelledby="lesson-counts" className="card mt-8 p-5 sm:p-8">
      <h2 id="lesson-counts" className="font-bold text-xl">
        Your lessons
      </h2>
      <dl className="mt-5 grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {counts.map(({ name, count }) => (
          <div
            key={name}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-2"
          >
            <dt className="font-semibold">{name}</dt>
            <dd className="text-muted tabular-nums">
              {examMessages.lessonCounts.of(count, totalLessons)}
            </dd>
            <dd className="col-span-2">
              <ProgressBar percent={Math.floor((count * 100) / totalLessons)} label={name} />
            </dd>
          </div>
        ))}
      </dl>
      {notCounted.length > 0 && (
        <>
          <p className="mt-5 text-muted">{examMessages.lessonCounts.missing(notCounted.length)}</p>
          <ul className="mt-3 divide-y divide-line">
            {notCounted.map(({ id, title, kind }) => (
              <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-6 py-2">
                <Link to={`/Learn/${course.id}/${id}`} className="link">
                  {title}
                </Link>
                <span className="text-muted text-sm">
                  {lessonRules[kind].texts.certificateCondition}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function describeExamBeforeLessons(remainingLessons: number): string {
  return byCount(
    remainingLessons,
    'You can take the exam now. To earn the certificate, you’ll also need to finish 1 more lesson.',
    `You can take the exam now. To earn the certificate, you’ll also need to finish ${remainingLessons} more lessons.`,
  )
}
