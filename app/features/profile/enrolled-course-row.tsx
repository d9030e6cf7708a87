import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { RunningExamButton, useRunningExam } from '~/features/exams/attempt/running-exams'
import { ButtonLink } from '~/ui/button'
import { byCount } from '~/ui/format-count'
import { formatDate, formatRelativeTime } from '~/ui/format-date'
import { formatClock } from '~/ui/format-duration'
import { ProgressBar } from '~/ui/progress-bar'
import type { EnrolledCourse, NextLesson } from './learner-record'
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

/** Shows a course with the learner's progress and the buttons to continue. */
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
  // A lesson that the learner only marked as done does not count for the certificate.
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
        <ProgressBar percent={progress} label={`Progress in ${name}`} />
        <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
          <div className="min-w-0 flex-1 basis-48 text-muted text-sm">
            <p>
              {formatLessonCount(completedLessons, totalLessons)} ·{' '}
              {formatLastActivity(course, now, timezone)}
            </p>
            {hasUncertifiedLessons && (
              <p>
                Your certificate counts {certifiedLessons} of them.{' '}
                <Link to={`/Exam/${id}#lesson-counts`} className="link">
                  See what’s missing
                </Link>
              </p>
            )}
            {nextLesson && !completedAt && <p>{formatNextLesson(nextLesson)}</p>}
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

/**
 * Says when the course was completed, or else last opened, or else when the learner enrolled in it.
 */
function formatLastActivity(
  { completedAt, lastAccessed, enrolledAt }: EnrolledCourse,
  now: Date,
  timezone: string,
): string {
  if (completedAt) {
    return `Completed ${formatDate(completedAt, timezone)}`
  }

  return lastAccessed
    ? `Last opened ${formatRelativeTime(lastAccessed, now, timezone)}`
    : `Enrolled ${formatRelativeTime(enrolledAt, now, timezone)}`
}

type CourseButtonsProps = { course: EnrolledCourse; isSuggested: boolean; isExamRunning: boolean }

function CourseButtons({ course, isSuggested, isExamRunning }: CourseButtonsProps) {
  const { id, name, next: nextLesson, examDue: isExamDue } = course
  const continueLabel = getContinueLabel(course)
  const examLabel = isExamDue ? 'Take the exam' : 'Exam'

  return (
    <div className="flex flex-wrap items-center gap-2">
      <ButtonLink
        to={nextLesson ? `/Learn/${id}/${nextLesson.id}` : `/Learn/${id}`}
        variant={isSuggested ? 'primary' : 'secondary'}
        aria-label={formatButtonLabel(continueLabel, name)}
      >
        {continueLabel}
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

/**
 * Links to the learner's certificate, if there is one. Certificates of withdrawn courses stay
 * valid.
 */
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

function formatLessonCount(completed: number, total: number): string {
  return byCount(total, `${completed} of 1 lesson`, `${completed} of ${total} lessons`)
}

function formatNextLesson({ title, positionMs }: NextLesson): string {
  const positionSeconds = positionMs / 1000
  return positionSeconds < 1
    ? `Next: ${title}`
    : `Next: ${title}, from ${formatClock(positionSeconds)}`
}

/** Formats the accessible name of a button that other courses on the page have as well. */
function formatButtonLabel(buttonText: string, courseName: string): string {
  return `${buttonText}: ${courseName}`
}
