import { Bookmark, Check, CircleHelp, CirclePlay, Clock, FileText, GraduationCap } from 'lucide-react'
import { memo } from 'react'
import { Link } from 'react-router'
import { progressFigures } from '~/features/progress/course-progress'
import type { LessonKind } from '~/features/progress/lesson-work'
import { secondsText } from '~/ui/format-duration'
import { filesText } from '~/ui/format-size'
import { lessonsPlanned, sectionProgress } from './lesson-messages'
import type { LessonEntry, SectionEntry } from './lesson-page-data'

type CurriculumProps = { courseId: string; openId: string; sections: readonly SectionEntry[] }

/** The course at the side: every section with its progress, every lesson with its state. */
export const LessonCurriculum = memo(function LessonCurriculum({ courseId, openId, sections }: CurriculumProps) {
  return (
    <>
      <ol className="flex flex-col gap-6">
        {sections.map((section) => {
          const { doneLessons, totalLessons, percent } = progressFigures(section.lessons)
          const missing = section.lectures - section.lessons.length
          return (
            <li key={section.id}>
              <h3 className="text-[0.9375rem] font-bold tracking-normal">{section.title}</h3>
              <p className="text-sm text-muted">
                {totalLessons === 0 ? 'Coming soon' : sectionProgress(doneLessons, totalLessons, percent)}
              </p>
              <ol className="mt-2">
                {section.lessons.map((lesson) => (
                  <li key={lesson.id}>
                    <Entry courseId={courseId} lesson={lesson} open={lesson.id === openId} />
                  </li>
                ))}
              </ol>
              {missing > 0 && <p className="mt-1 pl-3 text-sm text-muted">{lessonsPlanned(missing)}</p>}
            </li>
          )
        })}
      </ol>
      <Link
        to={`/Exam/${courseId}`}
        className="mt-6 flex min-h-11 items-center gap-3 rounded-control border border-edge px-3 py-2.5 font-semibold hover:border-ink"
      >
        <GraduationCap aria-hidden="true" size={20} className="shrink-0 text-accent" />
        Final exam
      </Link>
    </>
  )
})

const row = 'flex min-h-11 items-start gap-3 rounded-control px-3 py-2.5 text-[0.9375rem] leading-snug'

function Entry({ courseId, lesson, open }: { courseId: string; lesson: LessonEntry; open: boolean }) {
  const { kind, title, durationSeconds, done, bookmarked, downloads } = lesson
  if (kind === 'announced') {
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
      to={`/Learn/${courseId}/${lesson.id}`}
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
          {kindNames[kind]} · {secondsText(durationSeconds)}
          {downloads.count > 0 && ` · ${filesText(downloads)}`}
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

export const kindNames: Record<LessonKind, string> = {
  video: 'Video',
  article: 'Article',
  quiz: 'Quiz',
  announced: 'Coming soon',
}

const icons = { video: CirclePlay, article: FileText, quiz: CircleHelp, announced: Clock }

/** The lesson's type as an icon; the word is beside it, or in the link's name. */
function LessonIcon({ kind, size = 18, className = '' }: { kind: LessonKind; size?: number; className?: string }) {
  const Icon = icons[kind]
  return <Icon aria-hidden="true" size={size} className={`shrink-0 ${className}`} />
}
