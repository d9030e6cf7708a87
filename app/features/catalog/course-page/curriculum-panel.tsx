import { ChevronDown, CircleDashed } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { hasMaterial, lessonKinds } from '~/features/courses/lessons/lesson-kinds'
import { Button } from '~/ui/button'
import { formatCount, formatDownloads } from '~/ui/format-count'
import { formatClock, formatHours, formatMinutes } from '~/ui/format-duration'
import { PanelHeading } from '~/ui/panel-heading'
import { getAvailabilityTexts, lessonsToCome, noCurriculum } from './course-messages'
import type { CourseDetail, CourseLesson, CourseSection } from './course-queries.server'
import { type OnPreview, PreviewLink } from './preview-dialog'

type CurriculumProps = { course: CourseDetail; onPreview: OnPreview }

/** Sections that open and close by themselves, without a script. */
export function CurriculumPanel({ course, onPreview }: CurriculumProps) {
  const list = useRef<HTMLDivElement>(null)
  const sections = course.curriculum
  const hasAnnouncedLessons = sections.some((section) =>
    section.lessons.some((lesson) => !hasMaterial(lesson)),
  )

  return (
    <div>
      <PanelHeading>Curriculum</PanelHeading>
      <div className="mt-2 mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="text-muted">
          {formatCount(sections.length, 'section', 'sections')} ·{' '}
          {formatCount(course.lectures, 'lecture', 'lectures')} ·{' '}
          {formatHours(course.durationHours)}
          <span className="block text-sm">{getAvailabilityTexts(course).lessons}</span>
        </p>
        {sections.length > 1 && <ExpandButton list={list} />}
      </div>
      {sections.length === 0 && <p className="text-muted">{noCurriculum}</p>}
      <div ref={list} className="card divide-y divide-line overflow-hidden empty:hidden">
        {sections.map((section, index) => (
          <Section
            key={section.id}
            section={section}
            number={index + 1}
            open={index === 0}
            onPreview={onPreview}
          />
        ))}
      </div>
      {hasAnnouncedLessons && (
        <p className="mt-4 flex gap-2 text-sm text-muted">
          <CircleDashed aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
          {lessonsToCome}
        </p>
      )}
    </div>
  )
}

/** Sets the `open` attribute directly, without rendering hundreds of lessons again. */
function ExpandButton({ list }: { list: RefObject<HTMLDivElement | null> }) {
  const [expanded, setExpanded] = useState(false)
  const toggle = () => {
    for (const section of list.current?.querySelectorAll('details') ?? []) {
      section.open = !expanded
    }

    setExpanded(!expanded)
  }

  return (
    <Button variant="quiet" onClick={toggle} className="print:hidden -mx-3 px-3">
      {expanded ? 'Collapse all sections' : 'Expand all sections'}
    </Button>
  )
}

function Section({
  section,
  number,
  open,
  onPreview,
}: {
  section: CourseSection
  number: number
  open: boolean
  onPreview: OnPreview
}) {
  const further = section.lectures - section.lessons.length
  return (
    <details open={open} className="group">
      <summary className="flex min-h-16 list-none items-center gap-4 px-4 py-3.5 -outline-offset-3 hover:bg-sunken sm:px-6 [&::-webkit-details-marker]:hidden">
        <span aria-hidden="true" className="w-5 shrink-0 font-bold text-muted">
          {number}
        </span>
        <span className="flex-1">
          <span className="block font-bold leading-snug">{section.title}</span>
          <span className="block text-sm text-muted">
            {formatCount(section.lectures, 'lecture', 'lectures')} ·{' '}
            {formatMinutes(section.durationMinutes)}
          </span>
        </span>
        <ChevronDown
          aria-hidden="true"
          size={20}
          className="shrink-0 text-muted print:hidden transition-transform duration-200 group-open:rotate-180"
        />
      </summary>
      <ul className="border-line border-t bg-canvas py-2">
        {section.lessons.map((lesson) => (
          <li key={lesson.id}>
            <Lesson lesson={lesson} onPreview={onPreview} />
          </li>
        ))}
        {further > 0 && (
          <li className="px-4 py-2.5 pl-13 text-sm text-muted sm:px-6 sm:pl-15">
            {formatCount(further, 'more lesson planned', 'more lessons planned')}
          </li>
        )}
      </ul>
    </details>
  )
}

const row = 'flex min-h-11 items-center gap-3 px-4 py-2 sm:gap-4 sm:px-6'

function Lesson({ lesson, onPreview }: { lesson: CourseLesson; onPreview: OnPreview }) {
  if (!lesson.previewFiles) {
    return (
      <div className={`${row} ${hasMaterial(lesson) ? '' : 'text-muted'}`}>
        <LessonLine lesson={lesson} />
      </div>
    )
  }

  return (
    <PreviewLink
      lesson={lesson}
      onPreview={onPreview}
      className={`${row} group/lesson -outline-offset-3 hover:bg-sunken`}
    >
      <LessonLine lesson={lesson} />
    </PreviewLink>
  )
}

function LessonLine({ lesson }: { lesson: CourseLesson }) {
  const { label, icons } = lessonKinds[lesson.kind]
  const Icon = icons.curriculum
  const playable = lesson.previewFiles !== null
  const color = playable ? 'text-accent' : 'text-muted'

  return (
    <>
      <Icon aria-hidden="true" size={18} className={`shrink-0 ${color}`} />
      <span className="sr-only">{label}: </span>
      <span className="flex-1 underline-offset-4 group-hover/lesson:underline">
        {lesson.title}
        {lesson.downloads.count > 0 && (
          <span className="block text-sm text-muted">{formatDownloads(lesson.downloads)}</span>
        )}
      </span>
      {playable && (
        <span className="shrink-0 rounded-full bg-accent-soft px-2.5 py-0.5 font-semibold text-accent-strong text-sm">
          Preview
        </span>
      )}
      {hasMaterial(lesson) ? (
        <span className="w-12 shrink-0 text-right text-sm text-muted tabular-nums">
          {formatClock(lesson.durationSeconds)}
        </span>
      ) : (
        <span className="shrink-0 text-sm">Coming soon</span>
      )}
    </>
  )
}
