import {
  Check,
  CloudOff,
  ListVideo,
  LoaderCircle,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { hasMaterial, lessonKinds } from '~/features/courses/lessons/lesson-kinds'
import { formatSeconds } from '~/ui/format-duration'
import type { SaveStatus } from '../report/progress-reporter'
import { lessonsButton, saveStatusTexts } from './lesson-messages'
import type { LessonEntry, LessonPageData } from './lesson-page-data'
import { panelId } from './lesson-panel'
import { useLessonSettings } from './lesson-settings'

type LessonHeadingProps = {
  page: LessonPageData
  lessons: readonly LessonEntry[]
  status: SaveStatus
  heading: Ref<HTMLHeadingElement>
  /** The way back to the course's exam, while it runs. */
  exam: ReactNode
}

/** Above the lesson: its place in the course, and whether the learner's work is saved. */
export function LessonHeading({
  page: { course, lesson },
  lessons,
  status,
  heading,
  exam,
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
          ref={heading}
          dir="auto"
          tabIndex={-1}
          className="text-xl font-bold outline-none sm:text-2xl"
        >
          {lesson.title}
        </h1>
      </div>
      {exam}
      <LessonsLink lessons={lessons} />
      <div className="noscript:hidden print:hidden">
        <SaveStatusText status={status} />
      </div>
    </div>
  )
}

/** On a phone the course is below the lesson. */
function LessonsLink({ lessons }: { lessons: readonly LessonEntry[] }) {
  const [, changeSettings] = useLessonSettings()
  const counting = lessons.filter(hasMaterial)

  return (
    <a
      href={`#${panelId}`}
      onClick={() => changeSettings({ tab: 'lessons' })}
      className="inline-flex min-h-9 items-center gap-2 text-sm font-semibold text-accent lg:hidden print:hidden"
    >
      <ListVideo aria-hidden="true" size={18} />
      {lessonsButton(counting.filter((lesson) => lesson.done).length, counting.length)}
    </a>
  )
}

type Told = Exclude<SaveStatus, 'collected'>

const icons: Record<Told, LucideIcon> = {
  saved: Check,
  saving: LoaderCircle,
  offline: CloudOff,
  unkept: CloudOff,
  'signed-out': CloudOff,
  'not-enrolled': CloudOff,
  refused: TriangleAlert,
}

/** A report that takes less time needs no message. */
const calmMs = 500
/** How long 'Saved' stays after 'Saving'. */
const savedMs = 3_000

/** Whether the learner's work is saved. Nothing shows while all is well. */
function SaveStatusText({ status }: { status: SaveStatus }) {
  const shown = useShownStatus(status)
  const Icon = shown && icons[shown]
  const colorClasses = shown === 'saved' || shown === 'saving' ? 'text-muted' : 'text-warn'

  return (
    <p
      role="status"
      data-status={status}
      className={`flex items-center gap-1.5 text-sm font-medium ${colorClasses}`}
    >
      {Icon && <Icon aria-hidden="true" size={16} />}
      {shown && saveStatusTexts[shown]}
    </p>
  )
}

/** @returns null while there is nothing to say. */
function useShownStatus(status: SaveStatus): Told | null {
  const [shown, setShown] = useState<Told | null>(null)
  const settled = status === 'saved' || status === 'collected'
  useEffect(() => {
    if (!settled) {
      const timer = setTimeout(() => setShown(status), status === 'saving' ? calmMs : 0)
      return () => clearTimeout(timer)
    }

    setShown((before) => (before && status === 'saved' ? 'saved' : null))
    const timer = setTimeout(() => setShown(null), savedMs)

    return () => clearTimeout(timer)
  }, [status, settled])

  return shown
}
