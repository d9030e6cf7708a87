import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { secondsText } from '~/ui/duration-text'
import { Notice } from '~/ui/notice'
import { ProgressBar } from '~/ui/progress-bar'
import { watchedShare } from '../course-work/lesson-work'
import { progressFigures } from '../course-work/progress-explanation'
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
        <span className="text-sm text-muted">
          {doneLessons} of {totalLessons} lessons done
        </span>
      </p>
      <ProgressBar percent={percent} label="Course progress" className="mt-2" />
      {percent === 100 && (
        <Notice look="good" className="mt-3">
          <strong>You’ve finished every lesson.</strong> <CertificateWay course={course} />
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
        <p>
          Longer lessons count for more. You’ve completed {secondsText(doneSeconds)} of {secondsText(totalSeconds)},
          which is {percent}%, rounded down.
        </p>
        <CountedLessons lessons={lessons} />
        {retired.length > 0 && (
          <p className="mt-3 text-muted">
            You also finished these lessons, which are no longer part of the course and don’t count:{' '}
            {retired.map(({ title }) => title).join(', ')}.
          </p>
        )}
        <p className="mt-3 text-muted">
          A video counts once you’ve played {watchedShare * 100}% of it, and a quiz once you’ve answered every question.
          You can also mark either as done yourself. An article counts once you’ve read to the end and marked it as
          done. Planned lessons don’t count yet.
        </p>
        <p className="mt-3 text-muted">
          Your certificate counts only the videos you’ve watched, the quizzes you’ve answered, and the articles you’ve
          read.
        </p>
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
  if (certificate?.revoked)
    return (
      <>
        Your certificate was revoked. <WayLink to={`/Certificate/${certificate.id}`}>See why</WayLink>
      </>
    )
  if (certificate) return <WayLink to={`/Certificate/${certificate.id}`}>See your certificate</WayLink>
  if (certificateWaits)
    return (
      <>
        <WayLink to="/ConfirmEmail">Confirm your email address</WayLink> to receive your certificate.
      </>
    )
  return (
    <>
      <WayLink to={`/Exam/${id}`}>Take the exam</WayLink> to earn your certificate.
    </>
  )
}

function WayLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className="font-semibold underline underline-offset-2">
      {children}
    </Link>
  )
}
