import { Search as SearchIcon } from 'lucide-react'
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { cleanText } from '~/ui/form/clean-text'
import { byCount } from '~/ui/format-count'
import { formatClock } from '~/ui/format-duration'
import { useHydrated } from '~/ui/hooks'
import type { PlaybackTime } from './playback-time'

/** One caption of a WebVTT file, in seconds. */
export type Cue = { start: number; end: number; text: string }

type TranscriptPanelProps = {
  cues: readonly Cue[]
  playbackTime: PlaybackTime
  onSeek(seconds: number): void
}

/**
 * Displays the transcript, which can be searched. Its lines lead to their places in the video. It
 * scrolls with the video, except during a search.
 */
export function TranscriptPanel({ cues, playbackTime, onSeek }: TranscriptPanelProps) {
  const [search, setSearch] = useState('')
  const searchId = useId()
  const isHydrated = useHydrated()
  const getCurrentIndex = () => findCueIndex(cues, playbackTime.now())
  const currentIndex = useSyncExternalStore(
    playbackTime.subscribe,
    getCurrentIndex,
    getCurrentIndex,
  )
  const { listRef, recordTouch } = useScrollToCurrent(currentIndex, search === '')
  const matchingCues = cues
    .map((cue, index) => ({ cue, index }))
    .filter(({ cue }) => isMatch(cue, search))

  return (
    <section aria-labelledby={`${searchId}-title`}>
      <h2 id={`${searchId}-title`} className="sr-only noscript:not-sr-only!">
        Transcript
      </h2>
      <SearchField id={searchId} value={search} onChange={setSearch} />
      <p role="status" className={search ? 'mt-2 text-sm text-muted' : 'sr-only'}>
        {search && matchCountText(matchingCues.length)}
      </p>
      <ol
        ref={listRef}
        onTouchMove={recordTouch}
        className="relative mt-3 max-h-96 overflow-y-auto scroll-smooth noscript:max-h-none lg:max-h-[calc(100dvh-17rem)]"
      >
        {matchingCues.map(({ cue, index }) => (
          <li key={index}>
            <button
              type="button"
              disabled={!isHydrated}
              aria-current={index === currentIndex ? 'true' : undefined}
              onClick={() => onSeek(cue.start)}
              className="flex min-h-11 w-full gap-4 rounded-control px-3 py-2.5 text-left -outline-offset-3 hover:bg-sunken aria-[current=true]:bg-accent-soft forced-colors:aria-[current=true]:outline-2"
            >
              <span className="w-10 shrink-0 text-sm leading-6 font-semibold text-accent tabular-nums">
                {formatClock(cue.start)}
              </span>
              <span>
                <HighlightedText text={cue.text} search={cleanText(search)} />
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
      <SearchIcon
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

function HighlightedText({ text, search }: { text: string; search: string }) {
  const start = search === '' ? -1 : text.toLowerCase().indexOf(search.toLowerCase())
  if (start === -1) {
    return text
  }

  const end = start + search.length
  return (
    <>
      {text.slice(0, start)}
      <mark className="rounded bg-warn-soft text-ink">{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  )
}

/** How long the list stays where a finger has scrolled it. */
const pauseAfterTouchMs = 10_000

/**
 * Keeps the current line in view, unless the learner uses the list. Scrolls the list and never the
 * page. With reduced motion, it scrolls only if the line would be out of view.
 *
 * @returns the ref of the list, and a function to be called while a finger moves on it
 */
function useScrollToCurrent(currentIndex: number, isEnabled: boolean) {
  const listRef = useRef<HTMLOListElement>(null)
  const lastTouchMs = useRef(Number.NEGATIVE_INFINITY)

  useEffect(() => {
    const list = listRef.current
    const line = list?.children[currentIndex]
    const wasJustTouched = performance.now() - lastTouchMs.current < pauseAfterTouchMs
    if (!isEnabled || !list || !(line instanceof HTMLElement) || wasJustTouched || isInUse(list)) {
      return
    }

    const isInView =
      line.offsetTop >= list.scrollTop &&
      line.offsetTop + line.clientHeight <= list.scrollTop + list.clientHeight
    if (isInView && matchMedia('(prefers-reduced-motion: reduce)').matches) {
      return
    }

    list.scrollTop = line.offsetTop - list.clientHeight / 2 + line.clientHeight / 2
  }, [currentIndex, isEnabled])

  const recordTouch = () => {
    lastTouchMs.current = performance.now()
  }

  return { listRef, recordTouch }
}

/** Returns whether the list has the keyboard's focus or is under the pointer. */
function isInUse(list: HTMLElement): boolean {
  const hasFocus = list.matches(':has(:focus-visible)')
  const isUnderPointer = list.matches(':hover') && matchMedia('(hover: hover)').matches
  return hasFocus || isUnderPointer
}

/** Returns the index of the last cue that has started, or -1 before the first. */
export function findCueIndex(cues: readonly Cue[], seconds: number): number {
  return cues.findLastIndex((cue) => cue.start <= seconds)
}

/**
 * Returns whether a cue contains the searched text, regardless of case, accents, quotes and spaces.
 */
export function isMatch({ text }: Cue, search: string): boolean {
  return normalizeForSearch(text).includes(normalizeForSearch(search))
}

function normalizeForSearch(text: string): string {
  return cleanText(text).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

function matchCountText(count: number): string {
  return byCount(count, '1 match', `${count} matches`)
}
