import { type KeyboardEvent, memo, type ReactNode, useRef } from 'react'
import { useHydrated } from '~/ui/use-hydrated'
import { NotesPanel } from '../notes/notes-panel'
import { CourseContents } from './course-contents'
import { lessonViews } from './kinds/lesson-views'
import type { Cue } from './kinds/video/transcript-panel'
import { type PlaybackTime, TranscriptPanel } from './kinds/video/transcript-panel'
import type { LessonPageData } from './lesson-page-data'
import { type PanelTab, useLessonSettings } from './lesson-settings'

type LessonPanelProps = {
  page: LessonPageData
  cues: readonly Cue[]
  time: PlaybackTime
  onSeek(seconds: number): void
}

/**
 * The course, the transcript and the notes: beside the lesson, or below it on a narrow window.
 * Memoized, because the lesson's state changes several times a second while a video plays.
 */
export const LessonPanel = memo(function LessonPanel({
  page,
  cues,
  time,
  onSeek,
}: LessonPanelProps) {
  const { course, lesson, sections, retired, notes } = page
  const contents: Tab = {
    id: 'lessons',
    label: 'Lessons',
    panel: (
      <CourseContents course={course} openId={lesson.id} sections={sections} retired={retired} />
    ),
  }
  const transcript: Tab = {
    id: 'transcript',
    label: 'Transcript',
    panel: <TranscriptPanel cues={cues} time={time} onSeek={onSeek} />,
  }
  const ownNotes: Tab = {
    id: 'notes',
    label: 'Notes',
    panel: (
      <NotesPanel
        notes={notes}
        lessonId={lesson.id}
        courseId={course.id}
        hasPlaybackTime={lessonViews[lesson.kind].hasPlaybackTime}
        now={time.now}
        onSeek={onSeek}
      />
    ),
  }

  return (
    <aside
      id={panelId}
      aria-label="Lessons, transcript and notes"
      className="mt-6 scroll-mt-16 border-line border-t lg:sticky lg:top-16.25 lg:col-start-2 lg:row-span-3 lg:row-start-1 lg:mt-0 lg:h-[calc(100dvh-4.0625rem)] lg:overflow-y-auto lg:border-t-0 lg:border-l print:hidden"
    >
      <PanelTabs tabs={cues.length > 0 ? [contents, transcript, ownNotes] : [contents, ownNotes]} />
    </aside>
  )
})

/** A link to it leads to the panel on a phone. */
export const panelId = 'lesson-panel'

type Tab = { id: PanelTab; label: string; panel: ReactNode }

/** By the ARIA tab pattern. Without scripts, all panels are shown below one another. */
export function PanelTabs({ tabs }: { tabs: readonly Tab[] }) {
  const [{ tab }, changeSettings] = useLessonSettings()
  const list = useRef<HTMLDivElement>(null)
  const hydrated = useHydrated()
  // A lesson without a transcript shows the course; the choice stays for the next lesson.
  const chosen = tabs.find(({ id }) => id === tab) ?? tabs[0]
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) {
      return
    }

    event.preventDefault()
    const index = (tabs.findIndex(({ id }) => id === chosen?.id) + step + tabs.length) % tabs.length
    changeSettings({ tab: tabs[index]?.id })
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus()
  }

  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label="Beside the lesson"
        onKeyDown={move}
        className="flex items-end border-line border-b bg-canvas px-1 max-lg:px-[clamp(0rem,3vw,1.5rem)] lg:sticky lg:top-0 lg:z-10 lg:h-19 noscript:hidden"
      >
        {tabs.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            disabled={!hydrated}
            role="tab"
            id={`tab-${id}`}
            aria-controls={`panel-${id}`}
            aria-selected={id === chosen?.id}
            tabIndex={id === chosen?.id ? 0 : -1}
            onClick={() => changeSettings({ tab: id })}
            className="-mb-px min-h-12 border-transparent border-b-2 px-4 font-semibold text-muted -outline-offset-3 hover:text-ink aria-selected:border-accent aria-selected:text-ink"
          >
            {label}
          </button>
        ))}
      </div>
      {tabs.map(({ id, panel }) => (
        <div
          key={id}
          role="tabpanel"
          id={`panel-${id}`}
          aria-labelledby={`tab-${id}`}
          data-chosen={id === chosen?.id}
          className="p-5 data-[chosen=false]:hidden max-lg:px-[clamp(1rem,4vw,2.5rem)] noscript:block!"
        >
          {panel}
        </div>
      ))}
    </>
  )
}
