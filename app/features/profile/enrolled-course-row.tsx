import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { RunningExamButton, useRunningExam } from '~/features/exams/attempt/running-exams'
import { ButtonLink } from '~/ui/button'
import { byCount } from '~/ui/format-count'
import { formatDate, formatRelativeTime } from '~/ui/format-date'
import { formatClock } from '~/ui/format-duration'
import type { Linked } from '~/ui/more-link'
import { ProgressBar } from '~/ui/progress-bar'
import type { EnrolledCourse } from './learner-record'
import { profileMessages } from './profile-messages'

type EnrolledCourseRowProps = {
  course: EnrolledCourse
  timezone: string
  now: Date
  /** Whether the page suggests this course to continue with. */
  isSuggested?: boolean
  /** The form that leaves the course, if the learner may leave it. */
  leaveForm?: ReactNode
}

/** A course with the learner's progress and the buttons to continue. */
export function EnrolledCourseRow({
  course,
  timezone,
  now,
  isSuggested = false,
  leaveForm,
}: EnrolledCourseRowProps) {
  const {
    id,
    name,
    instructor,
    published: isPublished,
    progress,
    next: nextLesson,
    examDue: isExamDue,
    totalLessons,
    completedLessons,
    certifiedLessons,
    completedAt,
    certificateId,
  } = course
  const isExamRunning = useRunningExam(id) !== undefined
  // A lesson that was only marked as done does not count for the certificate.
  const hasUncertifiedLessons = certifiedLessons < completedLessons && !certificateId && isPublished

  return (
    <article className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-4 gap-y-3 max-[22rem]:grid-cols-[4rem_minmax(0,1fr)] max-[22rem]:gap-x-3 sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-x-5">
      <img
        src={`/media/courses/${id}/cover.webp`}
        alt=""
        width={640}
        height={360}
        loading="lazy"
        className="aspect-[4/3] w-full self-start rounded-control bg-sunken object-cover sm:row-span-2 sm:aspect-video"
      />
      <div className="flex items-start justify-between gap-x-4">
        <div className="min-w-0">
          <h3 className="font-bold text-lg leading-snug">
            {isPublished ? (
              <Link to={`/OneCourse/${id}`} className="hover:underline">
                {name}
              </Link>
            ) : (
              name
            )}
          </h3>
          <p className="text-muted">{instructor}</p>
        </div>
        <p className="shrink-0 font-bold text-lg tabular-nums">{progress}%</p>
      </div>
      <div className="col-span-2 sm:col-span-1">
        <ProgressBar percent={progress} label={formatProgressLabel(name)} />
        <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
          <div className="min-w-0 flex-1 basis-48 text-muted text-sm">
            <p>
              {formatLessonCount(completedLessons, totalLessons)} ·{' '}
              {formatLastActivity(course, now, timezone)}
            </p>
            {hasUncertifiedLessons && (
              <p>
                {formatCertifiedLessons(certifiedLessons, (linkText) => (
                  <Link to={`/Exam/${id}#lesson-counts`} className="link">
                    {linkText}
                  </Link>
                ))}
              </p>
            )}
            {nextLesson && !completedAt && (
              <p>{formatNextLesson(nextLesson.title, nextLesson.positionMs / 1000)}</p>
            )}
            {isExamDue && <p>{profileMessages.nextIsExam}</p>}
            {!isExamRunning && leaveForm}
          </div>
          {isPublished ? (
            <CourseButtons
              course={course}
              isSuggested={isSuggested}
              isExamRunning={isExamRunning}
            />
          ) : (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <p className="text-muted text-sm">{profileMessages.courseRetired}</p>
              <CertificateButton course={course} />
            </div>
          )}
        </div>
      </div>
    </article>
  )
}

/** Says when the course was completed, else when it was last opened, else when it was enrolled in. */
function formatLastActivity(
  { completedAt, opened: wasOpened, lastAccessed, enrolledAt }: EnrolledCourse,
  now: Date,
  timezone: string,
): string {
  if (completedAt) {
    return formatCompletedDate(completedAt, timezone)
  }

  return wasOpened
    ? formatLastOpened(lastAccessed, now, timezone)
    : formatEnrolledDate(enrolledAt, now, timezone)
}

type CourseButtonsProps = { course: EnrolledCourse; isSuggested: boolean; isExamRunning: boolean }

function CourseButtons({ course, isSuggested, isExamRunning }: CourseButtonsProps) {
  const { id, name, next: nextLesson, examDue: isExamDue } = course
  const examLabel = isExamDue ? 'Take the exam' : 'Exam'

  return (
    <div className="flex flex-wrap items-center gap-2">
      <ButtonLink
        to={nextLesson ? `/Learn/${id}/${nextLesson.id}` : `/Learn/${id}`}
        variant={isSuggested ? 'primary' : 'secondary'}
        aria-label={formatButtonLabel(getContinueLabel(course), name)}
      >
        {getContinueLabel(course)}
      </ButtonLink>
      <CertificateButton course={course} />
      {isExamRunning ? (
        <RunningExamButton courseId={id} />
      ) : (
        <ButtonLink
          to={`/Exam/${id}`}
          variant={isExamDue ? 'primary' : 'quiet'}
          aria-label={formatButtonLabel(examLabel, name)}
        >
          {examLabel}
        </ButtonLink>
      )}
    </div>
  )
}

/** The link to the learner's certificate, if there is one. A withdrawn course keeps it. */
function CertificateButton({
  course: { name, certificateId },
}: Pick<CourseButtonsProps, 'course'>) {
  if (!certificateId) {
    return null
  }

  return (
    <ButtonLink
      to={`/Certificate/${certificateId}`}
      variant="secondary"
      aria-label={formatButtonLabel('Certificate', name)}
    >
      Certificate
    </ButtonLink>
  )
}

function getContinueLabel({
  completedAt,
  completedLessons,
  next: nextLesson,
}: EnrolledCourse): string {
  if (completedAt) {
    return 'Review'
  }

  const hasStarted = completedLessons > 0 || (nextLesson !== null && nextLesson.positionMs > 0)
  return hasStarted ? 'Continue' : 'Start'
}

function formatProgressLabel(course: string): string {
  return `Progress in ${course}`
}

function formatLessonCount(completed: number, total: number): string {
  return byCount(total, `${completed} of 1 lesson`, `${completed} of ${total} lessons`)
}

/** Explains that some lessons are only marked as done. The link leads to what is missing. */
function formatCertifiedLessons(certifiedLessons: number, link: Linked): ReactNode {
  return (
    <>
      Your certificate counts {certifiedLessons} of them. {link('See what’s missing')}
    </>
  )
}

function formatCompletedDate(at: string, timezone: string): string {
  return `Completed ${formatDate(at, timezone)}`
}

function formatLastOpened(at: string, now: Date, timezone: string): string {
  return `Last opened ${formatRelativeTime(at, now, timezone)}`
}

function formatEnrolledDate(at: string, now: Date, timezone: string): string {
  return `Enrolled ${formatRelativeTime(at, now, timezone)}`
}

/** @param seconds the position at which the learner stopped in the lesson */
function formatNextLesson(lesson: string, seconds: number): string {
  return seconds < 1 ? `Next: ${lesson}` : `Next: ${lesson}, from ${formatClock(seconds)}`
}

/** The accessible name of a button that several courses on the page have. */
function formatButtonLabel(button: string, course: string): string {
  return `${button}: ${course}`
}
