import { Check } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '~/ui/button'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import { ProseText } from './prose-text'

/** An article. Its end has to be visible before it can be marked as done. */
export function ArticleLesson({
  html,
  readToEnd,
  done,
  onReadToEnd,
  onMark,
}: {
  html: string
  readToEnd: boolean
  done: boolean
  onReadToEnd(): void
  onMark(): void
}) {
  const end = useSeen(onReadToEnd)
  const said = useRef<HTMLParagraphElement>(null)
  useFocusOnChange(done, said, { onlyIfLost: true })
  return (
    <div className="card px-5 py-7 sm:px-10 sm:py-10">
      <ProseText html={html} className="mx-auto max-w-[42rem]" />
      <div
        ref={end}
        className="mx-auto mt-10 flex max-w-[42rem] flex-wrap items-center gap-4 border-line border-t pt-6"
      >
        {done ? (
          <p
            ref={said}
            tabIndex={-1}
            className="inline-flex min-h-11 items-center gap-2 font-semibold text-good outline-none"
          >
            <Check aria-hidden="true" size={20} /> You’ve read this article.
          </p>
        ) : (
          <>
            <Button onClick={onMark} disabled={!readToEnd}>
              Mark as done
            </Button>
            <p className="text-sm text-muted">
              {readToEnd ? 'You’ve reached the end.' : 'Read to the end, then mark it as done.'}
            </p>
          </>
        )}
      </div>
    </div>
  )
}

/** Whatever lies above the window counts as seen: a jump to the end of the page passes over it between two frames. */
const allAbove = '100000px 0px 0px 0px'

function useSeen(onSeen: () => void) {
  const element = useRef<HTMLDivElement>(null)
  const seen = useEffectEvent(onSeen)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) seen()
      },
      { rootMargin: allAbove },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return element
}
