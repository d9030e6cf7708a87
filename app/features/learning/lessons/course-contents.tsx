import { Bookmark, Check, GraduationCap } from 'lucide-react'
import { useContext } from 'react'
import { Link } from 'react-router'
import { hasMaterial, type LessonKind, lessonKinds } from '~/features/courses/lessons/lesson-kinds'
import { summarizeProgress } from '~/features/enrollment/course-progress'
import { byCount, formatDownloads } from '~/ui/format-count'
import { formatSeconds } from '~/ui/format-duration'
import type { RenderLink } from '~/ui/more-link'
import { Notice } from '~/ui/notice'
import { ProgressBar } from '~/ui/progress-bar'
import { completionRulesText } from './kinds/lesson-rules'
import { lessonMessages, lessonsDoneText, lessonsPlannedText } from './lesson-messages'
import type { LessonEntry, LessonPageData, RetiredLesson, SectionEntry } from './lesson-page-data'
import { LessonPathContext, learnPath } from './lesson-url'

type CourseProgressProps = {
  course: LessonPageData['course']
  sections: readonly SectionEntry[]
  /** Lessons that the learner has finished, but that are no longer in the course. */
  retired: readonly RetiredLesson[]
}

/**
 * Displays the learner's progress in the course and all its lessons.
 *
 * @property openLessonId the id of the open lesson
 */
export function CourseContents({
  course,
  openLessonId,
  sections,
  retired,
}: CourseProgressProps & { openLessonId: string }) {
  return (
    <>
      <h2 className="sr-only">Your progress and lessons</h2>
      <CourseProgressPanel course={course} sections={sections} retired={retired} />
      <div className="mt-6">
        <LessonCurriculum courseId={course.id} openLessonId={openLessonId} sections={sections} />
      </div>
    </>
  )
}

function CourseProgressPanel({ course, sections, retired }: CourseProgressProps) {
  const lessons = sections.flatMap((section) => section.lessons)
  const { percent, doneLessons, totalLessons } = summarizeProgress(lessons)

  return (
    <div>
      <p className="flex items-baseline justify-between gap-4">
        <span className="text-2xl font-bold tabular-nums">{percent}%</span>
        <span className="text-sm text-muted">{lessonsDoneText(doneLessons, totalLessons)}</span>
      </p>
      <ProgressBar percent={percent} label="Course progress" className="mt-2" />
      {percent === 100 && (
        <Notice variant={course.certificate?.revoked ? 'warn' : 'good'} className="mt-3">
          <strong>{lessonMessages.everyLessonFinished}</strong>{' '}
          <StepToCertificate course={course} />
        </Notice>
      )}
      <ProgressReasons lessons={lessons} retired={retired} />
    </div>
  )
}

type ProgressReasonsProps = {
  lessons: readonly LessonEntry[]
  retired: readonly RetiredLesson[]
}

/** Explains the percentage of the course. */
function ProgressReasons({ lessons, retired }: ProgressReasonsProps) {
  const { percent, doneSeconds, totalSeconds } = summarizeProgress(lessons)
  return (
    <details className="group mt-2">
      <summary className="inline-flex min-h-8 items-center text-sm font-semibold text-accent underline-offset-2 hover:underline">
        Why {percent}%?
      </summary>
      <div className="mt-2 rounded-control bg-sunken p-4 text-sm">
        <p>{explainPercent(doneSeconds, totalSeconds, percent)}</p>
        {retired.length > 0 && (
          <p className="mt-3 text-muted">{retiredLessonsText(retired.map(({ title }) => title))}</p>
        )}
        <p className="mt-3 text-muted">{completionRulesText}</p>
        <p className="mt-3 text-muted">{lessonMessages.whatCertificatesCount}</p>
      </div>
    </details>
  )
}

/** Leads from a finished course to its certificate, or to what the certificate needs. */
function StepToCertificate({ course }: Pick<CourseProgressProps, 'course'>) {
  const { id, certificate, certificateWaits } = course
  if (certificate?.revoked) {
    return lessonMessages.stepsToCertificate.revoked(createLink(`/Certificate/${certificate.id}`))
  }

  if (certificate) {
    return lessonMessages.stepsToCertificate.issued(createLink(`/Certificate/${certificate.id}`))
  }

  if (certificateWaits) {
    return lessonMessages.stepsToCertificate.unconfirmed(createLink('/ConfirmEmail'))
  }

  return lessonMessages.stepsToCertificate.exam(createLink(`/Exam/${id}`))
}

function createLink(to: string): RenderLink {
  return (linkText) => (
    <Link to={to} className="font-semibold underline underline-offset-2">
      {linkText}
    </Link>
  )
}

type CurriculumProps = { courseId: string; openLessonId: string; sections: readonly SectionEntry[] }

/** Lists every section with its progress, and every lesson with whether it is done. */
function LessonCurriculum({ courseId, openLessonId, sections }: CurriculumProps) {
  // The preview of staff doesn't link to the exam, because opening it would start an attempt.
  const isPreview = useContext(LessonPathContext) !== learnPath
  return (
    <>
      <ol className="flex flex-col gap-6">
        {sections.map((section) => {
          const { doneLessons, totalLessons, percent } = summarizeProgress(section.lessons)
          const plannedCount = section.lectures - section.lessons.length

          return (
            <li key={section.id}>
              <h3 className="text-[0.9375rem] font-bold tracking-normal">{section.title}</h3>
              <p className="text-sm text-muted">
                {totalLessons === 0
                  ? 'Coming soon'
                  : sectionProgressText(doneLessons, totalLessons, percent)}
              </p>
              <ol className="mt-2">
                {section.lessons.map((lesson) => (
                  <li key={lesson.id}>
                    <LessonLink
                      courseId={courseId}
                      lesson={lesson}
                      isOpen={lesson.id === openLessonId}
                    />
                  </li>
                ))}
              </ol>
              {plannedCount > 0 && (
                <p className="mt-1 pl-3 text-sm text-muted">{lessonsPlannedText(plannedCount)}</p>
              )}
            </li>
          )
        })}
      </ol>
      {!isPreview && (
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

const rowClasses =
  'flex min-h-11 items-start gap-3 rounded-control px-3 py-2.5 text-[0.9375rem] leading-snug'

type LessonLinkProps = { courseId: string; lesson: LessonEntry; isOpen: boolean }

/** Links to a lesson. A lesson without material is displayed as plain text. */
function LessonLink({ courseId, lesson, isOpen }: LessonLinkProps) {
  const lessonPath = useContext(LessonPathContext)
  const { kind, title, durationSeconds, done, bookmarked, downloads } = lesson
  if (!hasMaterial(lesson)) {
    return (
      <p className={`${rowClasses} min-h-0 py-1.5 text-muted`}>
        <LessonIcon kind={kind} className="mt-0.5" />
        <span className="flex-1">
          {title} <span className="sr-only">(coming soon)</span>
        </span>
      </p>
    )
  }

  return (
    <Link
      to={`${lessonPath}/${courseId}/${lesson.id}`}
      aria-current={isOpen ? 'page' : undefined}
      className={`${rowClasses} hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold forced-colors:aria-[current=page]:outline-2 -outline-offset-2`}
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

/**
 * Displays the kind of a lesson. It is hidden from screen readers, which read the text beside it.
 */
function LessonIcon({ kind, className }: { kind: LessonKind; className: string }) {
  const Icon = lessonKinds[kind].icons.lessonList
  return <Icon aria-hidden="true" size={18} className={`shrink-0 ${className}`} />
}

function sectionProgressText(done: number, total: number, percent: number): string {
  return `${done} of ${total} done · ${percent}%`
}

function explainPercent(doneSeconds: number, totalSeconds: number, percent: number): string {
  return `Longer lessons count for more. You’ve completed ${formatSeconds(doneSeconds)} of ${formatSeconds(totalSeconds)}, which is ${percent}%, rounded down.`
}

function retiredLessonsText(titles: readonly string[]): string {
  const list = new Intl.ListFormat('en-US').format(titles)
  return byCount(
    titles.length,
    `You also finished this lesson, which is no longer part of the course and doesn’t count: ${list}.`,
    `You also finished these lessons, which are no longer part of the course and don’t count: ${list}.`,
  )
}
