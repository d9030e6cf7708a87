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
import { byCount, formatDownloads } from '~/ui/format-count'
import { formatClock } from '~/ui/format-duration'
import { ProgressBar } from '~/ui/progress-bar'
import { lessonMessages, lessonsDone, lessonsPlanned } from './lesson-messages'

type LearnerCurriculumProps = { sections: readonly CourseSection[]; progress: ProgressSummary }

/**
 * A course's page for a learner of the course: every lesson with its state, then the exam and the
 * certificate.
 */
export function LearnerCurriculum({ sections, progress }: LearnerCurriculumProps) {
  const current =
    sections.find(({ lessons }) => lessons.some(({ id }) => id === progress.next?.id)) ??
    sections[0]
  return (
    <div className="card divide-y divide-line overflow-hidden">
      {sections.map((section) => (
        <Section
          key={section.id}
          section={section}
          open={section === current}
          progress={progress}
        />
      ))}
      {progress.exam !== 'none' && <ExamRow progress={progress} />}
      <CertificateRow progress={progress} />
    </div>
  )
}

const wideRow = 'flex min-h-18 items-center gap-4 px-4 py-3.5 -outline-offset-3 sm:px-6'

function Section({
  section,
  open,
  progress,
}: {
  section: CourseSection
  open: boolean
  progress: ProgressSummary
}) {
  const lessons = section.lessons.map((lesson) => ({
    ...lesson,
    done: progress.done.includes(lesson.id),
  }))
  const { doneLessons, totalLessons, percent } = summarizeProgress(lessons)
  const further = section.lectures - lessons.length

  return (
    <details open={open} className="group">
      <summary
        className={`${wideRow} list-none hover:bg-sunken [&::-webkit-details-marker]:hidden`}
      >
        <ProgressRing percent={percent} />
        <span className="min-w-0 flex-1">
          <span className="block font-bold leading-snug">{section.title}</span>
          <span className="block text-muted text-sm">
            {totalLessons === 0 ? 'Coming soon' : lessonsDone(doneLessons, totalLessons)}
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
            <Lesson
              courseId={progress.courseId}
              lesson={lesson}
              isNext={lesson.id === progress.next?.id}
            />
          </li>
        ))}
        {further > 0 && (
          <li className="px-4 py-2.5 pl-14 text-muted text-sm sm:px-6 sm:pl-16">
            {lessonsPlanned(further)}
          </li>
        )}
      </ul>
    </details>
  )
}

/** The circumference of the ring. */
const ringLength = 2 * Math.PI * 11

/** A circle that fills up; a tick once the section is done. The number stands beside it. */
function ProgressRing({ percent }: { percent: number }) {
  if (percent === 100) {
    return <CircleCheck aria-hidden="true" size={26} className="shrink-0 text-good" />
  }

  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 26 26"
      width={26}
      height={26}
      className="shrink-0 -rotate-90"
    >
      <circle cx="13" cy="13" r="11" fill="none" strokeWidth="2.5" className="stroke-line" />
      <circle
        cx="13"
        cy="13"
        r="11"
        fill="none"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeDasharray={`${(percent / 100) * ringLength} ${ringLength}`}
        className={percent === 0 ? 'hidden' : 'stroke-accent'}
      />
    </svg>
  )
}

type LessonProps = { courseId: string; lesson: CourseLesson & { done: boolean }; isNext: boolean }

function Lesson({ courseId, lesson, isNext }: LessonProps) {
  const { id, title, kind, done, downloads, durationSeconds } = lesson
  const { label, icons } = lessonKinds[kind]
  const colorBeforeDone = isNext ? 'text-accent' : 'text-muted'
  const Icon = done ? CircleCheck : icons.learnerCurriculum
  const row = 'flex min-h-12 items-center gap-3 px-4 py-2 sm:gap-4 sm:px-6'
  const line = (
    <>
      <span className="grid w-6.5 shrink-0 place-items-center">
        <Icon aria-hidden="true" size={19} className={done ? 'text-good' : colorBeforeDone} />
      </span>
      <span className="sr-only">{label}: </span>
      <span className="min-w-0 flex-1 underline-offset-4 group-hover/lesson:underline">
        {title}
        {done && <span className="sr-only"> (done)</span>}
        {downloads.count > 0 && (
          <span className="block text-muted text-sm">{formatDownloads(downloads)}</span>
        )}
      </span>
      {isNext && !done && (
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
    return <div className={`${row} text-muted`}>{line}</div>
  }

  return (
    <Link
      to={`/Learn/${courseId}/${id}`}
      className={`${row} group/lesson -outline-offset-3 hover:bg-sunken ${isNext && !done ? 'font-semibold' : ''}`}
    >
      {line}
    </Link>
  )
}

function ExamRow({ progress: { courseId, exam } }: { progress: ProgressSummary }) {
  const passed = exam === 'passed'
  return (
    <LastRow
      to={`/Exam/${courseId}`}
      icon={<GraduationCap aria-hidden="true" size={26} />}
      done={passed}
      title="Final exam"
      state={passed ? lessonMessages.examStates.passed : lessonMessages.examStates.open}
    />
  )
}

function CertificateRow({ progress }: { progress: ProgressSummary }) {
  const { certificateId, certificateWaits, exam } = progress
  const row = { icon: <Award aria-hidden="true" size={26} />, title: 'Certificate of completion' }
  if (certificateId) {
    return (
      <LastRow
        {...row}
        to={`/Certificate/${certificateId}`}
        done
        state={lessonMessages.certificateStates.issued}
      />
    )
  }

  if (certificateWaits) {
    return <LastRow {...row} to="/ConfirmEmail" state={lessonMessages.certificateStates.waits} />
  }

  return (
    <LastRow
      {...row}
      state={
        exam === 'none'
          ? lessonMessages.certificateStates.noExam
          : lessonMessages.certificateStates.open
      }
    />
  )
}

type LastRowProps = { to?: string; icon: ReactNode; done?: boolean; title: string; state: string }

function LastRow({ to, icon, done = false, title, state }: LastRowProps) {
  const row = (
    <>
      <span className={`shrink-0 ${done ? 'text-good' : 'text-muted'}`}>
        {done ? <CircleCheck aria-hidden="true" size={26} /> : icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-bold leading-snug underline-offset-4 group-hover/lesson:underline">
          {title}
        </span>
        <span className="block text-muted text-sm">{state}</span>
      </span>
    </>
  )

  if (!to) {
    return <div className={wideRow}>{row}</div>
  }

  return (
    <Link to={to} className={`${wideRow} group/lesson hover:bg-sunken`}>
      {row}
    </Link>
  )
}

/** 'Start', or 'Continue' with the lesson; in the place of the price. */
export function ContinueButton({ progress }: { progress: ProgressSummary }) {
  const way = getContinueLink(progress)
  if (!way) {
    return <p className="text-muted">The lessons aren’t ready yet.</p>
  }

  return (
    <ButtonLink to={way.to} className="min-h-13 w-full py-1.5">
      <span className="line-clamp-2">{way.text}</span>
    </ButtonLink>
  )
}

/** As high as the wish list's button, whose place it takes. */
export function CourseProgressLine({ progress }: { progress: ProgressSummary }) {
  const { percent } = progress
  return (
    <div className="grid min-h-11 content-center gap-1.5">
      <ProgressBar percent={percent} label="Your progress in this course" />
      <p className="flex justify-between gap-4 text-sm">
        <span>{progressText(progress)}</span>
        <span className="font-bold tabular-nums">{percent}%</span>
      </p>
    </div>
  )
}

/** An enrolled learner's progress in a course; public pages never contain it. */
export type ProgressSummary = {
  courseId: string
  /** Whole percent, by `course-progress.ts`. */
  percent: number
  doneLessons: number
  totalLessons: number
  /** Ids of the finished lessons. */
  done: string[]
  /** Null for a course without material. */
  next: { id: string; title: string; positionMs: number } | null
  completed: boolean
  exam: 'none' | 'open' | 'passed'
  /** Without a revoked one. */
  certificateId: string | null
  /** Earned, and issued once the learner's address is confirmed. */
  certificateWaits: boolean
}

/** The one thing to do next in a course. @returns null while there is nothing to learn. */
export function getContinueLink(progress: ProgressSummary): { to: string; text: string } | null {
  const { courseId, next, doneLessons, totalLessons, exam, certificateId } = progress
  if (!next) {
    return null
  }

  if (doneLessons < totalLessons) {
    const to = `/Learn/${courseId}/${next.id}`
    const begun = doneLessons > 0 || next.positionMs > 0
    return { to, text: begun ? `Continue: ${next.title}` : 'Start' }
  }

  if (exam === 'open') {
    return { to: `/Exam/${courseId}`, text: 'Take the final exam' }
  }

  if (certificateId) {
    return { to: `/Certificate/${certificateId}`, text: 'See your certificate' }
  }

  return { to: `/Learn/${courseId}`, text: 'Review the lessons' }
}

/** The learner's progress in words, beside the bar. */
function progressText({ doneLessons, totalLessons, completed }: ProgressSummary): string {
  const done = byCount(
    totalLessons,
    `${doneLessons} of 1 lesson done`,
    `${doneLessons} of ${totalLessons} lessons done`,
  )

  return completed ? `${done} · Course completed` : done
}
