import { Award, ChevronDown, CircleCheck, GraduationCap } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type {
  CourseLesson,
  CourseSection,
} from '~/features/catalog/course-page/course-queries.server'
import { hasMaterial, lessonKinds } from '~/features/courses/lessons/lesson-kinds'
import { summarizeProgress } from '~/features/enrollment/course-progress'
import { ButtonLink } from '~/ui/button'
import { formatDownloads } from '~/ui/format-count'
import { formatClock } from '~/ui/format-duration'
import { ProgressBar } from '~/ui/progress-bar'
import { lessonMessages, lessonsDoneText, lessonsPlannedText } from './lesson-messages'
import { getContinueLink, type ProgressSummary } from './progress-summary'

type LearnerCurriculumProps = { sections: readonly CourseSection[]; progress: ProgressSummary }

/**
 * Displays the curriculum to a learner of the course: all sections and lessons with their progress,
 * then the exam and the certificate. The section of the learner's next lesson is open.
 */
export function LearnerCurriculum({ sections, progress }: LearnerCurriculumProps) {
  const nextLessonId = progress.next?.id
  const sectionOfNextLesson = sections.find(({ lessons }) =>
    lessons.some(({ id }) => id === nextLessonId),
  )
  const openSection = sectionOfNextLesson ?? sections[0]

  return (
    <div className="card divide-y divide-line overflow-hidden">
      {sections.map((section) => (
        <SectionDetails
          key={section.id}
          section={section}
          isOpen={section === openSection}
          progress={progress}
        />
      ))}
      {progress.exam !== 'none' && <ExamRow progress={progress} />}
      <CertificateRow progress={progress} />
    </div>
  )
}

/** The layout of the rows for sections, the exam and the certificate. */
const largeRowClasses = 'flex min-h-18 items-center gap-4 px-4 py-3.5 -outline-offset-3 sm:px-6'

type SectionDetailsProps = {
  section: CourseSection
  isOpen: boolean
  progress: ProgressSummary
}

/** A row with the progress of a section. It expands to the list of lessons. */
function SectionDetails({ section, isOpen, progress }: SectionDetailsProps) {
  const lessons = section.lessons.map((lesson) => ({
    ...lesson,
    done: progress.done.includes(lesson.id),
  }))
  const { doneLessons, totalLessons, percent } = summarizeProgress(lessons)
  const plannedCount = section.lectures - lessons.length

  return (
    <details open={isOpen} className="group">
      <summary
        className={`${largeRowClasses} list-none hover:bg-sunken [&::-webkit-details-marker]:hidden`}
      >
        <ProgressRing percent={percent} />
        <span className="min-w-0 flex-1">
          <span className="block font-bold leading-snug">{section.title}</span>
          <span className="block text-muted text-sm">
            {totalLessons === 0 ? 'Coming soon' : lessonsDoneText(doneLessons, totalLessons)}
          </span>
        </span>
        {totalLessons > 0 && <span className="shrink-0 font-bold tabular-nums">{percent}%</span>}
        <ChevronDown
          aria-hidden="true"
          size={20}
          className="shrink-0 text-muted transition-transform duration-200 group-open:rotate-180 print:hidden"
        />
      </summary>
      <ul className="border-line border-t bg-canvas py-2">
        {lessons.map((lesson) => (
          <li key={lesson.id}>
            <LessonRow
              courseId={progress.courseId}
              lesson={lesson}
              isNext={lesson.id === progress.next?.id}
            />
          </li>
        ))}
        {plannedCount > 0 && (
          <li className="px-4 py-2.5 pl-14 text-muted text-sm sm:px-6 sm:pl-16">
            {lessonsPlannedText(plannedCount)}
          </li>
        )}
      </ul>
    </details>
  )
}

const ringRadius = 11
const ringCircumference = 2 * Math.PI * ringRadius

/** A ring that fills up with the progress, and becomes a check mark at 100 percent. */
function ProgressRing({ percent }: { percent: number }) {
  if (percent === 100) {
    return <CircleCheck aria-hidden="true" size={26} className="shrink-0 text-good" />
  }

  const filledLength = (percent / 100) * ringCircumference

  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 26 26"
      width={26}
      height={26}
      className="shrink-0 -rotate-90"
    >
      <circle
        cx="13"
        cy="13"
        r={ringRadius}
        fill="none"
        strokeWidth="2.5"
        className="stroke-line"
      />
      <circle
        cx="13"
        cy="13"
        r={ringRadius}
        fill="none"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeDasharray={`${filledLength} ${ringCircumference}`}
        className={percent === 0 ? 'hidden' : 'stroke-accent'}
      />
    </svg>
  )
}

type LessonRowProps = {
  courseId: string
  lesson: CourseLesson & { done: boolean }
  isNext: boolean
}

/** Links to a lesson. A lesson without material is displayed as plain text. */
function LessonRow({ courseId, lesson, isNext }: LessonRowProps) {
  const { id, title, kind, done, downloads, durationSeconds } = lesson
  const { label, icons } = lessonKinds[kind]
  const isHighlighted = isNext && !done
  const Icon = done ? CircleCheck : icons.learnerCurriculum
  const iconColorBeforeDone = isNext ? 'text-accent' : 'text-muted'

  const rowClasses = 'flex min-h-12 items-center gap-3 px-4 py-2 sm:gap-4 sm:px-6'
  const rowContent = (
    <>
      <span className="grid w-6.5 shrink-0 place-items-center">
        <Icon aria-hidden="true" size={19} className={done ? 'text-good' : iconColorBeforeDone} />
      </span>
      <span className="sr-only">{label}: </span>
      <span className="min-w-0 flex-1 underline-offset-4 group-hover/lesson:underline">
        {title}
        {done && <span className="sr-only"> (done)</span>}
        {downloads.count > 0 && (
          <span className="block text-muted text-sm">{formatDownloads(downloads)}</span>
        )}
      </span>
      {isHighlighted && (
        <span className="shrink-0 rounded-full bg-accent-soft px-2.5 py-0.5 font-semibold text-accent-strong text-sm">
          Next
        </span>
      )}
      <span className="shrink-0 text-right text-muted text-sm tabular-nums">
        {hasMaterial(lesson) ? formatClock(durationSeconds) : 'Coming soon'}
      </span>
    </>
  )

  if (!hasMaterial(lesson)) {
    return <div className={`${rowClasses} text-muted`}>{rowContent}</div>
  }

  return (
    <Link
      to={`/Learn/${courseId}/${id}`}
      className={`${rowClasses} group/lesson -outline-offset-3 hover:bg-sunken ${isHighlighted ? 'font-semibold' : ''}`}
    >
      {rowContent}
    </Link>
  )
}

function ExamRow({ progress }: { progress: ProgressSummary }) {
  const isPassed = progress.exam === 'passed'
  const { examStatuses } = lessonMessages

  return (
    <GoalRow
      to={`/Exam/${progress.courseId}`}
      icon={<GraduationCap aria-hidden="true" size={26} />}
      title="Final exam"
      status={isPassed ? examStatuses.passed : examStatuses.open}
      isReached={isPassed}
    />
  )
}

function CertificateRow({ progress }: { progress: ProgressSummary }) {
  const { certificateId, certificateWaits, exam } = progress
  const { certificateStatuses } = lessonMessages
  const title = 'Certificate of completion'
  const icon = <Award aria-hidden="true" size={26} />

  if (certificateId) {
    return (
      <GoalRow
        to={`/Certificate/${certificateId}`}
        icon={icon}
        title={title}
        status={certificateStatuses.issued}
        isReached
      />
    )
  }

  if (certificateWaits) {
    return (
      <GoalRow
        to="/ConfirmEmail"
        icon={icon}
        title={title}
        status={certificateStatuses.waitsForConfirmation}
      />
    )
  }

  const status = exam === 'none' ? certificateStatuses.noExam : certificateStatuses.open
  return <GoalRow icon={icon} title={title} status={status} />
}

type GoalRowProps = {
  /** Where the row leads. Without it, the row is plain text. */
  to?: string
  icon: ReactNode
  title: string
  status: string
  isReached?: boolean
}

/** A row for the exam or the certificate, below the sections. */
function GoalRow({ to, icon, title, status, isReached = false }: GoalRowProps) {
  const rowContent = (
    <>
      <span className={`shrink-0 ${isReached ? 'text-good' : 'text-muted'}`}>
        {isReached ? <CircleCheck aria-hidden="true" size={26} /> : icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-bold leading-snug underline-offset-4 group-hover/lesson:underline">
          {title}
        </span>
        <span className="block text-muted text-sm">{status}</span>
      </span>
    </>
  )

  if (!to) {
    return <div className={largeRowClasses}>{rowContent}</div>
  }

  return (
    <Link to={to} className={`${largeRowClasses} group/lesson hover:bg-sunken`}>
      {rowContent}
    </Link>
  )
}

/** Leads a learner to their next step. On the course page, it takes the place of the price. */
export function ContinueButton({ progress }: { progress: ProgressSummary }) {
  const continueLink = getContinueLink(progress)
  if (!continueLink) {
    return <p className="text-muted">The lessons aren’t ready yet.</p>
  }

  return (
    <ButtonLink to={continueLink.to} className="min-h-13 w-full py-1.5">
      <span className="line-clamp-2">{continueLink.text}</span>
    </ButtonLink>
  )
}

/**
 * Displays the progress as a bar and a text. It is as high as the wish list's button, whose place
 * it takes.
 */
export function CourseProgressLine({ progress }: { progress: ProgressSummary }) {
  const { percent, doneLessons, totalLessons, completed } = progress
  const doneText = lessonsDoneText(doneLessons, totalLessons)

  return (
    <div className="grid min-h-11 content-center gap-1.5">
      <ProgressBar percent={percent} label="Your progress in this course" />
      <p className="flex justify-between gap-4 text-sm">
        <span>{completed ? `${doneText} · Course completed` : doneText}</span>
        <span className="font-bold tabular-nums">{percent}%</span>
      </p>
    </div>
  )
}
