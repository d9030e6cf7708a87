import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CourseRunningExam, useRunningExam } from '~/features/exams/attempt/running-exams'
import { ButtonLink } from '~/ui/button'
import { ProgressBar } from '~/ui/progress-bar'
import type { EnrolledCourse } from './learner-record'
import {
  certifiedLessonsNotice,
  courseRetired,
  formatButtonLabel,
  formatCompletedDate,
  formatEnrolledDate,
  formatLastOpened,
  formatLessonCount,
  formatNextLesson,
  formatProgressLabel,
  nextIsExam,
} from './profile-messages'

type EnrolledCourseRowProps = {
  course: EnrolledCourse
  timezone: string
  now: Date
  /** Whether the page suggests to continue with this course. */
  isMain?: boolean
  /** The form that leaves the course, if the learner may leave it. */
  leaveForm?: ReactNode
}

/** A course with the learner's progress and the buttons to continue. */
export function EnrolledCourseRow({
  course,
  timezone,
  now,
  isMain = false,
  leaveForm,
}: EnrolledCourseRowProps) {
  const { id, name, instructor, published, progress, next, examDue } = course
  const { totalLessons, completedLessons, certifiedLessons, completedAt, certificateId } = course
  const isExamRunning = useRunningExam(id) !== undefined

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
            {published ? (
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
              {formatLastEvent(course, now, timezone)}
            </p>
            {certifiedLessons < completedLessons && !certificateId && published && (
              <p>
                {certifiedLessonsNotice(certifiedLessons, (linkText) => (
                  <Link to={`/Exam/${id}#lesson-counts`} className="link">
                    {linkText}
                  </Link>
                ))}
              </p>
            )}
            {next && !completedAt && <p>{formatNextLesson(next.title, next.positionMs / 1000)}</p>}
            {examDue && <p>{nextIsExam}</p>}
            {!isExamRunning && leaveForm}
          </div>
          {published ? (
            <CourseButtons course={course} isMain={isMain} isExamRunning={isExamRunning} />
          ) : (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <p className="text-muted text-sm">{courseRetired}</p>
              <CertificateButton course={course} />
            </div>
          )}
        </div>
      </div>
    </article>
  )
}

function formatLastEvent(
  { completedAt, opened, lastAccessed, enrolledAt }: EnrolledCourse,
  now: Date,
  timezone: string,
) {
  if (completedAt) {
    return formatCompletedDate(completedAt, timezone)
  }

  return opened
    ? formatLastOpened(lastAccessed, now, timezone)
    : formatEnrolledDate(enrolledAt, now, timezone)
}

type CourseButtonsProps = { course: EnrolledCourse; isMain: boolean; isExamRunning: boolean }

function CourseButtons({ course, isMain, isExamRunning }: CourseButtonsProps) {
  const { id, name, next, examDue } = course
  const examLabel = examDue ? 'Take the exam' : 'Exam'

  return (
    <div className="flex flex-wrap items-center gap-2">
      <ButtonLink
        to={next ? `/Learn/${id}/${next.id}` : `/Learn/${id}`}
        variant={isMain ? 'primary' : 'secondary'}
        aria-label={formatButtonLabel(getContinueLabel(course), name)}
      >
        {getContinueLabel(course)}
      </ButtonLink>
      <CertificateButton course={course} />
      {isExamRunning ? (
        <CourseRunningExam courseId={id} />
      ) : (
        <ButtonLink
          to={`/Exam/${id}`}
          variant={examDue ? 'primary' : 'quiet'}
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

function getContinueLabel({ completedAt, completedLessons, next }: EnrolledCourse): string {
  if (completedAt) {
    return 'Review'
  }

  const hasStarted = completedLessons > 0 || (next !== null && next.positionMs > 0)
  return hasStarted ? 'Continue' : 'Start'
}
