import { Search } from 'lucide-react'
import { Fragment, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { cleanText } from '~/ui/form/clean-text'
import { formatClock } from '~/ui/format-duration'
import { useHydrated } from '~/ui/use-hydrated'
import { matchesFound } from '../../lesson-messages'

/**
 * The transcript, to search and to jump to; it follows the video unless the learner is searching in
 * it.
 */
export function TranscriptPanel({
  cues,
  time,
  onSeek,
}: {
  cues: readonly Cue[]
  time: PlaybackTime
  onSeek(seconds: number): void
}) {
  const [search, setSearch] = useState('')
  const searchId = useId()
  const hydrated = useHydrated()
  const line = () => cueAt(cues, time.now())
  const current = useSyncExternalStore(time.subscribe, line, line)
  const list = useFollowing(current, search === '')
  const found = cues
    .map((cue, index) => ({ cue, index }))
    .filter(({ cue }) => cueMatches(cue, search))

  return (
    <section aria-labelledby={`${searchId}-title`}>
      <h2 id={`${searchId}-title`} className="sr-only noscript:not-sr-only!">
        Transcript
      </h2>
      <SearchField id={searchId} value={search} onChange={setSearch} />
      <p role="status" className={search ? 'mt-2 text-sm text-muted' : 'sr-only'}>
        {search && matchesFound(found.length)}
      </p>
      <ol
        ref={list}
        className="relative mt-3 max-h-96 overflow-y-auto scroll-smooth noscript:max-h-none lg:max-h-[calc(100dvh-17rem)]"
      >
        {found.map(({ cue, index }) => (
          <li key={index}>
            <button
              type="button"
              disabled={!hydrated}
              aria-current={index === current ? 'true' : undefined}
              onClick={() => onSeek(cue.start)}
              className="flex min-h-11 w-full gap-4 rounded-control px-3 py-2.5 text-left -outline-offset-3 hover:bg-sunken aria-[current=true]:bg-accent-soft forced-colors:aria-[current=true]:outline-2"
            >
              <span className="w-10 shrink-0 text-sm leading-6 font-semibold text-accent tabular-nums">
                {formatClock(cue.start)}
              </span>
              <span>
                <Marked text={cue.text} search={cleanText(search)} />
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

function SearchField({
  id,
  value,
  onChange,
}: {
  id: string
  value: string
  onChange(search: string): void
}) {
  return (
    <div className="relative w-full noscript:hidden">
      <label htmlFor={id} className="sr-only">
        Search the transcript
      </label>
      <Search
        aria-hidden="true"
        size={17}
        className="absolute top-1/2 left-3 -translate-y-1/2 text-muted"
      />
      <input
        id={id}
        type="search"
        placeholder="Search the transcript"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="min-h-11 w-full rounded-control border border-edge bg-surface pr-3 pl-9 placeholder:text-muted"
      />
    </div>
  )
}

function Marked({ text, search }: { text: string; search: string }) {
  const at = search ? text.toLowerCase().indexOf(search.toLowerCase()) : -1
  if (at < 0) {
    return <Fragment>{text}</Fragment>
  }

  return (
    <>
      {text.slice(0, at)}
      <mark className="rounded bg-warn-soft text-ink">{text.slice(at, at + search.length)}</mark>
      {text.slice(at + search.length)}
    </>
  )
}

/**
 * Keeps the current line in view, unless the learner is in the list: scrolls the list, never the
 * page, and where motion is unwanted only when it has to.
 */
function useFollowing(current: number, follow: boolean) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const box = list.current
    const line = box?.children[current]
    if (!follow || !box || !(line instanceof HTMLElement) || isInUse(box)) {
      return
    }

    const inView =
      line.offsetTop >= box.scrollTop &&
      line.offsetTop + line.clientHeight <= box.scrollTop + box.clientHeight
    if (inView && matchMedia('(prefers-reduced-motion: reduce)').matches) {
      return
    }

    box.scrollTop = line.offsetTop - box.clientHeight / 2 + line.clientHeight / 2
  }, [current, follow])

  return list
}

/** A list under the pointer or with the keyboard's focus stands still. */
function isInUse(list: HTMLElement): boolean {
  return (
    list.matches(':has(:focus-visible)') ||
    (list.matches(':hover') && matchMedia('(hover: hover)').matches)
  )
}

/**
 * The video's position for its followers. It changes several times a second, so it is no React
 * state of the page.
 */
export type PlaybackTime = ReturnType<typeof createPlaybackTime>

export function createPlaybackTime() {
  let seconds = 0
  const listeners = new Set<() => void>()

  return {
    now: () => seconds,
    tell(to: number) {
      seconds = to
      for (const listener of listeners) {
        listener()
      }
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** One caption of a WebVTT file, in seconds. */
export type Cue = { start: number; end: number; text: string }

/**
 * The index of the cue that is spoken at `seconds`, or of the last one before it; -1 before the
 * first.
 */
export function cueAt(cues: readonly Cue[], seconds: number): number {
  return cues.findLastIndex((cue) => cue.start <= seconds)
}

/**
 * Whether a search finds the cue; letters count alike whatever their case or accents, and so do
 * quotes and spaces.
 */
export function cueMatches({ text }: Cue, search: string): boolean {
  return fold(text).includes(fold(search))
}

function fold(text: string): string {
  return cleanText(text).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
