import {
  Check,
  CloudOff,
  ListVideo,
  LoaderCircle,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { hasMaterial, lessonKinds } from '~/features/courses/lessons/lesson-kinds'
import { formatSeconds } from '~/ui/format-duration'
import type { SaveStatus } from '../report/progress-reporter'
import { reportMessages } from '../report/report-messages'
import type { LessonEntry, LessonPageData } from './lesson-page-data'
import { panelId } from './lesson-panel'
import { useLessonSettings } from './lesson-settings'

type LessonHeadingProps = {
  page: LessonPageData
  lessons: readonly LessonEntry[]
  saveStatus: SaveStatus
  headingRef: Ref<HTMLHeadingElement>
  /** A link to the course's exam while it is in progress. */
  runningExam: ReactNode
}

/** Displays the lesson's title, its place in the course, and whether the progress is saved. */
export function LessonHeading({
  page: { course, lesson },
  lessons,
  saveStatus,
  headingRef,
  runningExam,
}: LessonHeadingProps) {
  const kindLabel = hasMaterial(lesson) ? lessonKinds[lesson.kind].label : 'Coming soon'

  return (
    <div className="flex min-h-19 flex-wrap items-center gap-x-6 gap-y-2 border-line border-b px-[clamp(1rem,4vw,2.5rem)] py-2.5">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <p className="text-sm text-muted">
          <Link
            to={`/OneCourse/${course.id}`}
            className="font-semibold hover:text-ink hover:underline"
          >
            {course.title}
          </Link>
          <span>{` · ${kindLabel} · ${formatSeconds(lesson.durationSeconds)}`}</span>
          {lesson.sectionTitle && (
            <span className="max-sm:hidden">{` · ${lesson.sectionTitle}`}</span>
          )}
        </p>
        <h1
          ref={headingRef}
          dir="auto"
          tabIndex={-1}
          className="text-xl font-bold outline-none sm:text-2xl"
        >
          {lesson.title}
        </h1>
      </div>
      {runningExam}
      <LessonsLink lessons={lessons} />
      <div className="noscript:hidden print:hidden">
        <SaveStatusText status={saveStatus} />
      </div>
    </div>
  )
}

/** Leads down to the list of lessons, which is below the lesson on a phone. */
function LessonsLink({ lessons }: { lessons: readonly LessonEntry[] }) {
  const [, changeSettings] = useLessonSettings()
  const countedLessons = lessons.filter(hasMaterial)
  const doneLessons = countedLessons.filter((lesson) => lesson.done)

  return (
    <a
      href={`#${panelId}`}
      onClick={() => changeSettings({ tab: 'lessons' })}
      className="inline-flex min-h-9 items-center gap-2 text-sm font-semibold text-accent lg:hidden print:hidden"
    >
      <ListVideo aria-hidden="true" size={18} />
      {lessonsButtonText(doneLessons.length, countedLessons.length)}
    </a>
  )
}

/** Collected progress is sent within seconds, so it needs no text. */
type DisplayedStatus = Exclude<SaveStatus, 'collected'>

const statusIcons: Record<DisplayedStatus, LucideIcon> = {
  saved: Check,
  saving: LoaderCircle,
  offline: CloudOff,
  'not-stored': CloudOff,
  'signed-out': CloudOff,
  'not-enrolled': CloudOff,
  refused: TriangleAlert,
}

/** Says whether the learner's progress is saved. Displays nothing while there is nothing to say. */
function SaveStatusText({ status }: { status: SaveStatus }) {
  const displayedStatus = useDisplayedStatus(status)
  const Icon = displayedStatus && statusIcons[displayedStatus]
  const isProblem = displayedStatus !== 'saved' && displayedStatus !== 'saving'
  const colorClasses = isProblem ? 'text-warn' : 'text-muted'

  return (
    <p
      role="status"
      data-status={status}
      className={`flex items-center gap-1.5 text-sm font-medium ${colorClasses}`}
    >
      {Icon && <Icon aria-hidden="true" size={16} />}
      {displayedStatus && reportMessages.saveStatusTexts[displayedStatus]}
    </p>
  )
}

/** 'Saving' is displayed only if saving takes longer than this. */
const savingDelayMs = 500
/** How long 'Saved' stays on the page. */
const savedMs = 3_000

/** Returns the status to display, or null while there is nothing to say. */
function useDisplayedStatus(status: SaveStatus): DisplayedStatus | null {
  const [displayedStatus, setDisplayedStatus] = useState<DisplayedStatus | null>(null)

  useEffect(() => {
    const isSettled = status === 'saved' || status === 'collected'
    if (!isSettled) {
      const delayMs = status === 'saving' ? savingDelayMs : 0
      const timer = setTimeout(() => setDisplayedStatus(status), delayMs)
      return () => clearTimeout(timer)
    }

    // 'Saved' is displayed only after 'Saving' or a problem.
    setDisplayedStatus((previous) => (previous && status === 'saved' ? 'saved' : null))
    const timer = setTimeout(() => setDisplayedStatus(null), savedMs)

    return () => clearTimeout(timer)
  }, [status])

  return displayedStatus
}

/** The link to the list of lessons on a phone. */
function lessonsButtonText(done: number, total: number): string {
  return `Lessons · ${done} of ${total} done`
}
