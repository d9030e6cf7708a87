import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CourseRunningExam, useRunningExam } from '~/features/exams/attempt/running-exams'
import { ButtonLink } from '~/ui/button'
import { ProgressBar } from '~/ui/progress-bar'
import type { EnrolledCourse } from './learner-record'
import {
  buttonLabel,
  certificateCounts,
  completedOn,
  courseRetired,
  enrolledAgo,
  lastOpened,
  lessonsOf,
  nextIsExam,
  nextLesson,
  progressLabel,
} from './profile-messages'

type EnrolledCourseRowProps = {
  course: EnrolledCourse
  timezone: string
  now: Date
  /** The course that the page suggests to continue with. */
  main?: boolean
  /** The button to leave the course, if it can be left. */
  leave?: ReactNode
}

/** A course with how far the learner is, and the way on. */
export function EnrolledCourseRow({
  course,
  timezone,
  now,
  main = false,
  leave,
}: EnrolledCourseRowProps) {
  const {
    id,
    name,
    instructor,
    progress,
    totalLessons,
    completedLessons,
    completedAt,
    next,
    published,
    examDue,
  } = course
  const { certifiedLessons, certificateId } = course
  const examRuns = useRunningExam(id) !== undefined

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
        <ProgressBar percent={progress} label={progressLabel(name)} />
        <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
          <div className="min-w-0 flex-1 basis-48 text-muted text-sm">
            <p>
              {lessonsOf(completedLessons, totalLessons)} · {lastEvent(course, now, timezone)}
            </p>
            {certifiedLessons < completedLessons && !certificateId && published && (
              <p>
                {certificateCounts(certifiedLessons, (words) => (
                  <Link to={`/Exam/${id}#lesson-counts`} className="link">
                    {words}
                  </Link>
                ))}
              </p>
            )}
            {next && !completedAt && <p>{nextLesson(next.title, next.positionMs / 1000)}</p>}
            {examDue && <p>{nextIsExam}</p>}
            {!examRuns && leave}
          </div>
          {published ? (
            <CourseButtons course={course} main={main} examRuns={examRuns} />
          ) : (
            <p className="text-muted text-sm">{courseRetired}</p>
          )}
        </div>
      </div>
    </article>
  )
}

function lastEvent(
  { completedAt, opened, lastAccessed, enrolledAt }: EnrolledCourse,
  now: Date,
  timezone: string,
) {
  if (completedAt) {
    return completedOn(completedAt, timezone)
  }

  return opened ? lastOpened(lastAccessed, now, timezone) : enrolledAgo(enrolledAt, now, timezone)
}

type CourseButtonsProps = { course: EnrolledCourse; main: boolean; examRuns: boolean }

function CourseButtons({ course, main, examRuns }: CourseButtonsProps) {
  const { id, name, next, certificateId, examDue } = course
  const exam = examDue ? 'Take the exam' : 'Exam'

  return (
    <div className="flex flex-wrap items-center gap-2">
      <ButtonLink
        to={next ? `/Learn/${id}/${next.id}` : `/Learn/${id}`}
        variant={main ? 'primary' : 'secondary'}
        aria-label={buttonLabel(wayOn(course), name)}
      >
        {wayOn(course)}
      </ButtonLink>
      {certificateId && (
        <ButtonLink
          to={`/Certificate/${certificateId}`}
          variant="secondary"
          aria-label={buttonLabel('Certificate', name)}
        >
          Certificate
        </ButtonLink>
      )}
      {examRuns ? (
        <CourseRunningExam courseId={id} />
      ) : (
        <ButtonLink
          to={`/Exam/${id}`}
          variant={examDue ? 'primary' : 'quiet'}
          aria-label={buttonLabel(exam, name)}
        >
          {exam}
        </ButtonLink>
      )}
    </div>
  )
}

function wayOn({ completedAt, completedLessons, next }: EnrolledCourse): string {
  if (completedAt) {
    return 'Review'
  }

  return completedLessons > 0 || (next && next.positionMs > 0) ? 'Continue' : 'Start'
}
