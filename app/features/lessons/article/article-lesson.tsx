import { ArrowRight, Check } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { Mark } from '~/features/progress/lesson-work'
import { Button } from '~/ui/button'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import { finishedArticle } from '../history-state'
import { MarkForm } from '../lesson-form'
import { articleRead } from '../lesson-messages'
import { addressOf, type NextStep } from '../next-step'
import { ProseText } from './prose-text'

type ArticleProps = {
  courseId: string
  title: string
  html: string
  done: boolean
  step: NextStep
  onReadToEnd(): void
  onMark(mark: Mark): void
}

/** An article, as wide as is good to read; at its end it is marked as done. */
export function ArticleLesson({ html, ...end }: ArticleProps) {
  return (
    <article className="mx-auto w-full max-w-[41rem] px-[clamp(1rem,4vw,2.5rem)] pt-3 lg:pt-6 print:max-w-none">
      <ProseText html={html} />
      <ArticleEnd {...end} />
    </article>
  )
}

/** Its button is below the text, so that reading to the end and pressing it are one step. */
function ArticleEnd({ courseId, title, done, step, onReadToEnd, onMark }: Omit<ArticleProps, 'html'>) {
  const end = useSeen(onReadToEnd)
  const said = useRef<HTMLParagraphElement>(null)
  const navigate = useNavigate()
  useFocusOnChange(done, said, { onlyIfLost: true })
  const next = step.kind === 'lesson' ? step.lesson : null
  const markDone = () => {
    onReadToEnd()
    onMark('done')
    if (next) navigate(addressOf(step, courseId), { state: finishedArticle(title) })
  }
  return (
    <div ref={end} className="mt-10 flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t pt-6 print:hidden">
      {done ? (
        <>
          <p
            ref={said}
            tabIndex={-1}
            className="inline-flex min-h-11 items-center gap-2 font-semibold text-good outline-none"
          >
            <Check aria-hidden="true" size={20} /> {articleRead}
          </p>
          <MarkForm mark="undone" onMark={onMark}>
            <Button type="submit" look="quiet">
              Mark as not done
            </Button>
          </MarkForm>
        </>
      ) : (
        <MarkForm mark="done" goOnTo={next?.id} onMark={markDone}>
          <Button type="submit">
            {next ? 'Mark as done and go on' : 'Mark as done'}
            {next && <ArrowRight aria-hidden="true" size={18} />}
          </Button>
        </MarkForm>
      )}
    </div>
  )
}

/** Everything above the window counts as seen: a jump to the end of the page skips it between two frames. */
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
