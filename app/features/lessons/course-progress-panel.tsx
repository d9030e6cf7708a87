import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { progressFigures } from '~/features/progress/progress-explanation'
import { secondsText } from '~/ui/format-duration'
import type { Linked } from '~/ui/more-link'
import { Notice } from '~/ui/notice'
import { ProgressBar } from '~/ui/progress-bar'
import {
  certificateWays,
  everyLessonFinished,
  lessonsDone,
  retiredLessons,
  whatCertificatesCount,
  whatCounts,
  whyPercent,
} from './lesson-messages'
import type { LessonPageData, RetiredLesson, SectionEntry } from './lesson-page-data'

type CourseProgressProps = {
  course: LessonPageData['course']
  sections: readonly SectionEntry[]
  /** Finished, but no longer in the curriculum. */
  retired: readonly RetiredLesson[]
}

/** Course progress, and why: the list of what counts. */
export function CourseProgressPanel({ course, sections, retired }: CourseProgressProps) {
  const lessons = sections.flatMap((section) => section.lessons)
  const { percent, doneLessons, totalLessons } = progressFigures(lessons)
  return (
    <div>
      <p className="flex items-baseline justify-between gap-4">
        <span className="text-2xl font-bold tabular-nums">{percent}%</span>
        <span className="text-sm text-muted">{lessonsDone(doneLessons, totalLessons)}</span>
      </p>
      <ProgressBar percent={percent} label="Course progress" className="mt-2" />
      {percent === 100 && (
        <Notice look={course.certificate?.revoked ? 'warn' : 'good'} className="mt-3">
          <strong>{everyLessonFinished}</strong> <CertificateWay course={course} />
        </Notice>
      )}
      <ProgressReasons lessons={lessons} retired={retired} />
    </div>
  )
}

type Lessons = SectionEntry['lessons']

/** Why the course shows its percentage. */
function ProgressReasons({ lessons, retired }: { lessons: Lessons; retired: CourseProgressProps['retired'] }) {
  const { percent, doneSeconds, totalSeconds } = progressFigures(lessons)
  return (
    <details className="group mt-2">
      <summary className="inline-flex min-h-8 items-center text-sm font-semibold text-accent underline-offset-2 hover:underline">
        Why {percent}%?
      </summary>
      <div className="mt-2 rounded-control bg-sunken p-4 text-sm">
        <p>{whyPercent(doneSeconds, totalSeconds, percent)}</p>
        <CountedLessons lessons={lessons} />
        {retired.length > 0 && <p className="mt-3 text-muted">{retiredLessons(retired.map(({ title }) => title))}</p>}
        <p className="mt-3 text-muted">{whatCounts}</p>
        <p className="mt-3 text-muted">{whatCertificatesCount}</p>
      </div>
    </details>
  )
}

function CountedLessons({ lessons }: { lessons: Lessons }) {
  return (
    <table className="mt-3 w-full">
      <thead className="sr-only">
        <tr>
          <th scope="col">Lesson</th>
          <th scope="col">Length</th>
          <th scope="col">Done</th>
        </tr>
      </thead>
      <tbody>
        {lessons
          .filter((lesson) => lesson.kind !== 'announced')
          .map((lesson) => (
            <tr key={lesson.id} className="border-line border-t align-top">
              <td className="py-1.5 pr-2">{lesson.title}</td>
              <td className="py-1.5 pr-2 text-right text-muted tabular-nums whitespace-nowrap">
                {secondsText(lesson.durationSeconds)}
              </td>
              <td className="w-6 py-1.5 text-right">
                {lesson.done ? (
                  <>
                    <Check aria-hidden="true" size={16} className="inline text-good" />
                    <span className="sr-only">Yes</span>
                  </>
                ) : (
                  <span className="text-muted">No</span>
                )}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

/** What is between the learner and the certificate. */
function CertificateWay({ course: { id, certificate, certificateWaits } }: Pick<CourseProgressProps, 'course'>) {
  if (certificate?.revoked) return certificateWays.revoked(wayTo(`/Certificate/${certificate.id}`))
  if (certificate) return certificateWays.issued(wayTo(`/Certificate/${certificate.id}`))
  if (certificateWaits) return certificateWays.unconfirmed(wayTo('/ConfirmEmail'))
  return certificateWays.exam(wayTo(`/Exam/${id}`))
}

function wayTo(to: string): Linked {
  return (words) => (
    <Link to={to} className="font-semibold underline underline-offset-2">
      {words}
    </Link>
  )
}
