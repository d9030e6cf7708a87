import { ChevronDown, CircleDashed } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { hasMaterial, lessonKinds } from '~/features/courses/lessons/lesson-kinds'
import { Button } from '~/ui/button'
import { formatCount, formatDownloads } from '~/ui/format-count'
import { formatClock, formatHours, formatMinutes } from '~/ui/format-duration'
import { PanelHeading } from '~/ui/panel-heading'
import { getAvailabilityTexts } from './course-messages'
import type { CourseDetail, CourseLesson, CourseSection } from './course-queries.server'
import { type OnPreview, PreviewLink } from './preview-dialog'

type CurriculumProps = { course: CourseDetail; onPreview: OnPreview }

/** The sections of the course with their lessons. They open and close without a script. */
export function CurriculumPanel({ course, onPreview }: CurriculumProps) {
  const sectionList = useRef<HTMLDivElement>(null)
  const sections = course.curriculum
  const hasLessonsWithoutMaterial = sections.some((section) =>
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
        {sections.length > 1 && <ExpandButton sectionList={sectionList} />}
      </div>
      {sections.length === 0 && <p className="text-muted">{noCurriculumText}</p>}
      <div ref={sectionList} className="card divide-y divide-line overflow-hidden empty:hidden">
        {sections.map((section, index) => (
          <Section
            key={section.id}
            section={section}
            number={index + 1}
            isInitiallyOpen={index === 0}
            onPreview={onPreview}
          />
        ))}
      </div>
      {hasLessonsWithoutMaterial && (
        <p className="mt-4 flex gap-2 text-sm text-muted">
          <CircleDashed aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
          {comingSoonText}
        </p>
      )}
    </div>
  )
}

/** A button that opens all sections or, if it was pressed before, closes them. */
function ExpandButton({ sectionList }: { sectionList: RefObject<HTMLDivElement | null> }) {
  const [isExpanded, setIsExpanded] = useState(false)
  const toggle = () => {
    // Setting the attribute directly avoids rendering hundreds of lessons again.
    for (const section of sectionList.current?.querySelectorAll('details') ?? []) {
      section.open = !isExpanded
    }

    setIsExpanded(!isExpanded)
  }

  return (
    <Button variant="quiet" onClick={toggle} className="print:hidden -mx-3 px-3">
      {isExpanded ? 'Collapse all sections' : 'Expand all sections'}
    </Button>
  )
}

type SectionProps = {
  section: CourseSection
  number: number
  isInitiallyOpen: boolean
  onPreview: OnPreview
}

function Section({ section, number, isInitiallyOpen, onPreview }: SectionProps) {
  // The section announces this many lectures, but its lessons are not all listed yet.
  const unlistedLessonCount = section.lectures - section.lessons.length

  return (
    <details open={isInitiallyOpen} className="group">
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
            <LessonRow lesson={lesson} onPreview={onPreview} />
          </li>
        ))}
        {unlistedLessonCount > 0 && (
          <li className="px-4 py-2.5 pl-13 text-sm text-muted sm:px-6 sm:pl-15">
            {formatCount(unlistedLessonCount, 'more lesson planned', 'more lessons planned')}
          </li>
        )}
      </ul>
    </details>
  )
}

const rowStyle = 'flex min-h-11 items-center gap-3 px-4 py-2 sm:gap-4 sm:px-6'

function LessonRow({ lesson, onPreview }: { lesson: CourseLesson; onPreview: OnPreview }) {
  if (lesson.previewFiles === null) {
    return (
      <div className={`${rowStyle} ${hasMaterial(lesson) ? '' : 'text-muted'}`}>
        <LessonDetails lesson={lesson} />
      </div>
    )
  }

  return (
    <PreviewLink
      lesson={lesson}
      onPreview={onPreview}
      className={`${rowStyle} group/lesson -outline-offset-3 hover:bg-sunken`}
    >
      <LessonDetails lesson={lesson} />
    </PreviewLink>
  )
}

function LessonDetails({ lesson }: { lesson: CourseLesson }) {
  const { label, icons } = lessonKinds[lesson.kind]
  const Icon = icons.curriculum
  const hasPreview = lesson.previewFiles !== null
  const color = hasPreview ? 'text-accent' : 'text-muted'

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
      {hasPreview && (
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

const noCurriculumText = 'The curriculum is coming soon.'

const comingSoonText =
  'Lessons marked ‘Coming soon’ aren’t ready yet. They’re included in the price.'
