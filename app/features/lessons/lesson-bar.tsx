import { type ReactNode, type Ref, use, useLayoutEffect, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { secondsText } from '~/ui/format-duration'
import { ScriptNonce } from '~/ui/script-nonce'
import { useHydrated } from '~/ui/use-hydrated'
import { LessonsButton } from './course-side'
import { kindNames } from './lesson-curriculum'
import type { LessonEntry, LessonPageData } from './lesson-page-data'
import type { SaveStatus } from './report/save-state'
import { SaveStatusText } from './report/save-status'

type LessonBarProps = {
  page: LessonPageData
  lessons: readonly LessonEntry[]
  status: SaveStatus
  heading: Ref<HTMLHeadingElement>
  hasTranscript: boolean
  exam: ReactNode
}

/** Above the lesson: its place in the course, the save status and the buttons of the side panel. */
export function LessonBar({ page: { course, lesson }, lessons, status, heading, hasTranscript, exam }: LessonBarProps) {
  const nonce = use(ScriptNonce)
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-[clamp(1rem,4vw,2.5rem)] py-3 lg:col-span-2">
      <script nonce={nonce}>{sideScript}</script>
      <div className="min-w-0 max-lg:basis-full lg:flex-1">
        <p className="text-sm text-muted">
          <Link to={`/OneCourse/${course.id}`} className="font-semibold hover:text-ink hover:underline">
            {course.title}
          </Link>
          <span>{` · ${kindNames[lesson.kind]} · ${secondsText(lesson.durationSeconds)}`}</span>
          {lesson.sectionTitle && <span className="max-sm:hidden">{` · ${lesson.sectionTitle}`}</span>}
        </p>
        <h1 ref={heading} tabIndex={-1} className="text-xl font-bold outline-none sm:text-2xl">
          {lesson.title}
        </h1>
      </div>
      {exam}
      <LessonsButton lessons={lessons} />
      <div className="noscript:hidden print:hidden">
        <SaveStatusText status={status} />
      </div>
      <SideButtons tools={hasTranscript ? 'Transcript and notes' : 'Notes'} />
    </div>
  )
}

/** On a wide window: a second press on a button collapses its side. */
function SideButtons({ tools }: { tools: string }) {
  const { choice, choose } = useSideChoice()
  const hydrated = useHydrated()
  const button = (side: Exclude<SideChoice, 'none'>, text: string) => (
    <button
      type="button"
      disabled={!hydrated}
      aria-pressed={choice === side}
      onClick={() => choose(choice === side ? 'none' : side)}
      className="min-h-9 rounded-[0.5rem] px-3 text-sm font-semibold text-muted hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card forced-colors:aria-pressed:outline-2"
    >
      {text}
    </button>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form.
    <div
      role="group"
      aria-label="Side panel"
      className="hidden gap-1 rounded-control border border-line bg-sunken p-1 lg:flex noscript:hidden print:hidden"
    >
      {button('lessons', 'Lessons')}
      {button('tools', tools)}
    </div>
  )
}

/** The side panel of a wide window: the course, transcript and notes, or nothing. */
type SideChoice = 'lessons' | 'tools' | 'none'

const storageKey = 'lesson-side'

/**
 * The choice is an attribute of the document, which the styles read. This script runs while the HTML is parsed, so that
 * the layout is right before any other script loads.
 */
const sideScript = `try{const side=localStorage.getItem('${storageKey}');if(side==='tools'||side==='none')document.documentElement.dataset.side=side}catch{}`

const listeners = new Set<() => void>()

/** Stored in this browser. */
function useSideChoice() {
  const choice = useSyncExternalStore(subscribe, readChoice, () => 'lessons' as const)
  // A page that was reached by client-side navigation has not run the script.
  useLayoutEffect(() => {
    const side = storedChoice()
    if (side !== readChoice()) show(side)
  }, [])
  return { choice, choose }
}

function choose(choice: SideChoice): void {
  try {
    localStorage.setItem(storageKey, choice)
  } catch {
    // Storage is switched off: the choice holds for this page.
  }
  show(choice)
}

function show(choice: SideChoice): void {
  document.documentElement.dataset.side = choice
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function readChoice(): SideChoice {
  return choiceOf(document.documentElement.dataset.side)
}

function storedChoice(): SideChoice {
  try {
    return choiceOf(localStorage.getItem(storageKey))
  } catch {
    return readChoice()
  }
}

function choiceOf(text: string | null | undefined): SideChoice {
  return text === 'tools' || text === 'none' ? text : 'lessons'
}
