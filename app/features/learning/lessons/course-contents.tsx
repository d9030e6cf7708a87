import { Bookmark, Check, GraduationCap } from 'lucide-react'
import { useContext } from 'react'
import { Link } from 'react-router'
import { hasMaterial, type LessonKind, lessonKinds } from '~/features/courses/lessons/lesson-kinds'
import { summarizeProgress } from '~/features/enrollment/course-progress'
import { formatDownloads } from '~/ui/format-count'
import { formatSeconds } from '~/ui/format-duration'
import type { Linked } from '~/ui/more-link'
import { Notice } from '~/ui/notice'
import { ProgressBar } from '~/ui/progress-bar'
import { completionRulesText } from './kinds/lesson-rules'
import {
  certificateWays,
  everyLessonFinished,
  lessonsDone,
  lessonsPlanned,
  retiredLessons,
  sectionProgress,
  whatCertificatesCount,
  whyPercent,
} from './lesson-messages'
import type { LessonEntry, LessonPageData, RetiredLesson, SectionEntry } from './lesson-page-data'
import { LessonPathContext, learnPath } from './lesson-url'

/** The course beside a lesson: its progress, and every lesson with its state. */
export function CourseContents({
  course,
  openId,
  sections,
  retired,
}: CourseProgressProps & { openId: string }) {
  return (
    <>
      <h2 className="sr-only">Your progress and lessons</h2>
      <CourseProgressPanel course={course} sections={sections} retired={retired} />
      <div className="mt-6">
        <LessonCurriculum courseId={course.id} openId={openId} sections={sections} />
      </div>
    </>
  )
}

type CourseProgressProps = {
  course: LessonPageData['course']
  sections: readonly SectionEntry[]
  /** Finished, but no longer in the curriculum. */
  retired: readonly RetiredLesson[]
}

/** Course progress, with the list of lessons that count. */
function CourseProgressPanel({ course, sections, retired }: CourseProgressProps) {
  const lessons = sections.flatMap((section) => section.lessons)
  const { percent, doneLessons, totalLessons } = summarizeProgress(lessons)

  return (
    <div>
      <p className="flex items-baseline justify-between gap-4">
        <span className="text-2xl font-bold tabular-nums">{percent}%</span>
        <span className="text-sm text-muted">{lessonsDone(doneLessons, totalLessons)}</span>
      </p>
      <ProgressBar percent={percent} label="Course progress" className="mt-2" />
      {percent === 100 && (
        <Notice variant={course.certificate?.revoked ? 'warn' : 'good'} className="mt-3">
          <strong>{everyLessonFinished}</strong> <CertificateWay course={course} />
        </Notice>
      )}
      <ProgressReasons lessons={lessons} retired={retired} />
    </div>
  )
}

type Lessons = SectionEntry['lessons']

/** Why the course shows its percentage. */
function ProgressReasons({
  lessons,
  retired,
}: {
  lessons: Lessons
  retired: CourseProgressProps['retired']
}) {
  const { percent, doneSeconds, totalSeconds } = summarizeProgress(lessons)
  return (
    <details className="group mt-2">
      <summary className="inline-flex min-h-8 items-center text-sm font-semibold text-accent underline-offset-2 hover:underline">
        Why {percent}%?
      </summary>
      <div className="mt-2 rounded-control bg-sunken p-4 text-sm">
        <p>{whyPercent(doneSeconds, totalSeconds, percent)}</p>
        {retired.length > 0 && (
          <p className="mt-3 text-muted">{retiredLessons(retired.map(({ title }) => title))}</p>
        )}
        <p className="mt-3 text-muted">{completionRulesText}</p>
        <p className="mt-3 text-muted">{whatCertificatesCount}</p>
      </div>
    </details>
  )
}

/** The remaining steps to the certificate. */
function CertificateWay({
  course: { id, certificate, certificateWaits },
}: Pick<CourseProgressProps, 'course'>) {
  if (certificate?.revoked) {
    return certificateWays.revoked(wayTo(`/Certificate/${certificate.id}`))
  }

  if (certificate) {
    return certificateWays.issued(wayTo(`/Certificate/${certificate.id}`))
  }

  if (certificateWaits) {
    return certificateWays.unconfirmed(wayTo('/ConfirmEmail'))
  }

  return certificateWays.exam(wayTo(`/Exam/${id}`))
}

function wayTo(to: string): Linked {
  return (words) => (
    <Link to={to} className="font-semibold underline underline-offset-2">
      {words}
    </Link>
  )
}

type CurriculumProps = { courseId: string; openId: string; sections: readonly SectionEntry[] }

/** Every section with its progress, every lesson with its state. */
function LessonCurriculum({ courseId, openId, sections }: CurriculumProps) {
  // In the preview, the exam isn't linked: opening it would begin an attempt.
  const isLearners = useContext(LessonPathContext) === learnPath
  return (
    <>
      <ol className="flex flex-col gap-6">
        {sections.map((section) => {
          const { doneLessons, totalLessons, percent } = summarizeProgress(section.lessons)
          const missing = section.lectures - section.lessons.length

          return (
            <li key={section.id}>
              <h3 className="text-[0.9375rem] font-bold tracking-normal">{section.title}</h3>
              <p className="text-sm text-muted">
                {totalLessons === 0
                  ? 'Coming soon'
                  : sectionProgress(doneLessons, totalLessons, percent)}
              </p>
              <ol className="mt-2">
                {section.lessons.map((lesson) => (
                  <li key={lesson.id}>
                    <Entry courseId={courseId} lesson={lesson} open={lesson.id === openId} />
                  </li>
                ))}
              </ol>
              {missing > 0 && (
                <p className="mt-1 pl-3 text-sm text-muted">{lessonsPlanned(missing)}</p>
              )}
            </li>
          )
        })}
      </ol>
      {isLearners && (
        <Link
          to={`/Exam/${courseId}`}
          className="mt-6 flex min-h-11 items-center gap-3 rounded-control border border-edge px-3 py-2.5 font-semibold hover:border-ink"
        >
          <GraduationCap aria-hidden="true" size={20} className="shrink-0 text-accent" />
          Final exam
        </Link>
      )}
    </>
  )
}

const row =
  'flex min-h-11 items-start gap-3 rounded-control px-3 py-2.5 text-[0.9375rem] leading-snug'

function Entry({
  courseId,
  lesson,
  open,
}: {
  courseId: string
  lesson: LessonEntry
  open: boolean
}) {
  const path = useContext(LessonPathContext)
  const { kind, title, durationSeconds, done, bookmarked, downloads } = lesson
  if (!hasMaterial(lesson)) {
    return (
      <p className={`${row} min-h-0 py-1.5 text-muted`}>
        <LessonIcon kind={kind} className="mt-0.5" />
        <span className="flex-1">
          {title} <span className="sr-only">(coming soon)</span>
        </span>
      </p>
    )
  }

  return (
    <Link
      to={`${path}/${courseId}/${lesson.id}`}
      aria-current={open ? 'page' : undefined}
      className={`${row} hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold forced-colors:aria-[current=page]:outline-2 -outline-offset-2`}
    >
      {done ? (
        <span className="mt-px grid size-[18px] shrink-0 place-items-center rounded-full bg-good text-surface">
          <Check aria-hidden="true" size={13} strokeWidth={3.5} />
        </span>
      ) : (
        <LessonIcon kind={kind} className="mt-0.5 text-muted" />
      )}
      <span className="flex-1">
        {title}
        <span className="block text-sm font-normal text-muted">
          {lessonKinds[kind].label} · {formatSeconds(durationSeconds)}
          {downloads.count > 0 && ` · ${formatDownloads(downloads)}`}
          {done && <span className="sr-only"> · done</span>}
        </span>
      </span>
      {bookmarked && (
        <span className="mt-0.5 text-accent">
          <Bookmark aria-hidden="true" size={16} fill="currentColor" />
          <span className="sr-only">Bookmarked</span>
        </span>
      )}
    </Link>
  )
}

/** The lesson's type as an icon; the word is beside it, or in the link's name. */
function LessonIcon({
  kind,
  size = 18,
  className = '',
}: {
  kind: LessonKind
  size?: number
  className?: string
}) {
  const Icon = lessonKinds[kind].icons.lessonList
  return <Icon aria-hidden="true" size={size} className={`shrink-0 ${className}`} />
}
