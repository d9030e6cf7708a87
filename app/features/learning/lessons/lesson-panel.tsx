import { type KeyboardEvent, memo, type ReactNode, useRef } from 'react'
import { useHydrated } from '~/ui/hooks'
import { NotesPanel } from '../notes/notes-panel'
import { CourseContents } from './course-contents'
import { lessonViews } from './kinds/lesson-views'
import type { PlaybackTime } from './kinds/video/playback-time'
import { type Cue, TranscriptPanel } from './kinds/video/transcript-panel'
import type { LessonPageData } from './lesson-page-data'
import { type PanelTab, useLessonSettings } from './lesson-settings'

type LessonPanelProps = {
  page: LessonPageData
  cues: readonly Cue[]
  playbackTime: PlaybackTime
  onSeek(seconds: number): void
}

/**
 * Displays the lessons of the course, the transcript and the notes beside the lesson or, in a
 * narrow window, below it. The panel is memoized, because the lesson's state changes several times
 * a second while a video plays.
 */
export const LessonPanel = memo(function LessonPanel({
  page,
  cues,
  playbackTime,
  onSeek,
}: LessonPanelProps) {
  const { course, lesson, sections, retired, notes } = page
  const lessonsTab: Tab = {
    id: 'lessons',
    label: 'Lessons',
    panel: (
      <CourseContents
        course={course}
        openLessonId={lesson.id}
        sections={sections}
        retired={retired}
      />
    ),
  }
  const transcriptTab: Tab = {
    id: 'transcript',
    label: 'Transcript',
    panel: <TranscriptPanel cues={cues} playbackTime={playbackTime} onSeek={onSeek} />,
  }
  const notesTab: Tab = {
    id: 'notes',
    label: 'Notes',
    panel: (
      <NotesPanel
        notes={notes}
        lessonId={lesson.id}
        courseId={course.id}
        hasPlaybackTime={lessonViews[lesson.kind].hasPlaybackTime}
        now={playbackTime.now}
        onSeek={onSeek}
      />
    ),
  }

  const tabs = cues.length > 0 ? [lessonsTab, transcriptTab, notesTab] : [lessonsTab, notesTab]

  return (
    <aside
      id={panelId}
      aria-label="Lessons, transcript and notes"
      className="mt-6 scroll-mt-16 border-line border-t lg:sticky lg:top-16.25 lg:col-start-2 lg:row-span-3 lg:row-start-1 lg:mt-0 lg:h-[calc(100dvh-4.0625rem)] lg:overflow-y-auto lg:border-t-0 lg:border-l print:hidden"
    >
      <PanelTabs tabs={tabs} />
    </aside>
  )
})

/** The element's id. On a phone, a link at the top of the page leads down to the panel. */
export const panelId = 'lesson-panel'

type Tab = { id: PanelTab; label: string; panel: ReactNode }

/** Tabs by the ARIA tab pattern. Without scripts, all panels are displayed one below the other. */
export function PanelTabs({ tabs }: { tabs: readonly Tab[] }) {
  const [{ tab: preferredTab }, changeSettings] = useLessonSettings()
  const tabList = useRef<HTMLDivElement>(null)
  const isHydrated = useHydrated()
  // A lesson without a transcript displays the first tab. The next lesson displays the preferred
  // one.
  const selectedTab = tabs.find(({ id }) => id === preferredTab) ?? tabs[0]

  const handleKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (direction === undefined) {
      return
    }

    event.preventDefault()
    const selectedIndex = tabs.findIndex(({ id }) => id === selectedTab?.id)
    const nextIndex = (selectedIndex + direction + tabs.length) % tabs.length
    changeSettings({ tab: tabs[nextIndex]?.id })
    tabList.current?.querySelectorAll<HTMLElement>('[role=tab]')[nextIndex]?.focus()
  }

  return (
    <>
      <div
        ref={tabList}
        role="tablist"
        aria-label="Beside the lesson"
        onKeyDown={handleKeyDown}
        className="flex items-end border-line border-b bg-canvas px-1 max-lg:px-[clamp(0rem,3vw,1.5rem)] lg:sticky lg:top-0 lg:z-10 lg:h-19 noscript:hidden"
      >
        {tabs.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            disabled={!isHydrated}
            role="tab"
            id={`tab-${id}`}
            aria-controls={`panel-${id}`}
            aria-selected={id === selectedTab?.id}
            tabIndex={id === selectedTab?.id ? 0 : -1}
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
          data-chosen={id === selectedTab?.id}
          className="p-5 data-[chosen=false]:hidden max-lg:px-[clamp(1rem,4vw,2.5rem)] noscript:block!"
        >
          {panel}
        </div>
      ))}
    </>
  )
}
