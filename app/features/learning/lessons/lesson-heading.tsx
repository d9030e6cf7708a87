import { ListVideo } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Link } from 'react-router'
import { hasMaterial, lessonKinds } from '~/features/courses/lessons/lesson-kinds'
import { formatSeconds } from '~/ui/format-duration'
import type { SaveStatus } from '../report/save-state'
import { SaveStatusText } from '../report/save-status'
import { lessonsButton } from './lesson-messages'
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
