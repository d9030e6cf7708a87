import { ArrowRight, Check } from 'lucide-react'
import { type MouseEvent, useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '~/ui/button'
import { Formulas } from '~/ui/formula-text'
import { ProseText } from '~/ui/prose-text'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import type { Mark } from '../../../progress/lesson-progress'
import { MarkForm } from '../../lesson-form'
import { articleRead } from '../../lesson-messages'
import type { NextStepNavigation } from '../../next-step'
import type { LessonView, LessonViewProps } from '../lesson-view'
import type { ArticleMaterial } from './article-material.server'

export const articleView: LessonView<ArticleMaterial> = {
  hasPlaybackTime: false,
  hasTableOfContents: true,

  getTranscript() {
    return []
  },

  Lesson: ArticleLesson,
}

/** Columns of a fixed width, so that the article doesn't move when its contents arrive. */
const besideContents =
  'min-[75rem]:grid min-[75rem]:grid-cols-[minmax(0,36rem)_12rem] min-[75rem]:justify-center min-[75rem]:gap-10'

/**
 * An article, as wide as is good to read, beside its contents on a wide window; at its end it is
 * marked as done.
 */
function ArticleLesson(props: LessonViewProps<ArticleMaterial>) {
  const { material, isDone, nextStep, goOn, reporter } = props
  const { html, direction, headings } = material
  const hasContents = headings.length > 1
  const hasFormulas = html.includes('<math')

  return (
    <Formulas html={{}} alsoElsewhere={hasFormulas}>
      <div
        className={`mx-auto w-full px-[clamp(1rem,4vw,2.5rem)] pt-3 lg:pt-6 ${hasContents ? besideContents : ''}`}
      >
        <article className="mx-auto w-full max-w-[36rem] print:max-w-none">
          <ProseText html={html} dir={direction} onClick={copyCode} />
          <ArticleEnd
            isDone={isDone}
            nextLessonId={nextStep.kind === 'lesson' ? nextStep.lesson.id : null}
            goOn={goOn}
            onReadToEnd={() => reporter.recordReadToEnd()}
            onMark={(mark) => reporter.recordMark(mark)}
          />
        </article>
        {hasContents && <ArticleContents headings={headings} direction={direction} />}
      </div>
    </Formulas>
  )
}

function ArticleContents({ headings, direction }: Pick<ArticleMaterial, 'headings' | 'direction'>) {
  return (
    <nav
      aria-label="In this article"
      dir={direction}
      className="sticky top-22 hidden max-h-[calc(100dvh-11rem)] self-start overflow-y-auto text-sm min-[75rem]:block print:hidden"
    >
      <p className="mb-2 font-semibold">In this article</p>
      <ul className="article-contents">
        {headings.map(({ id, text, level }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={`block border-line border-s-2 py-1.5 text-muted leading-snug hover:text-ink ${level > 2 ? 'ps-6' : 'ps-3'}`}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Milliseconds for which a button says that it copied. */
const copiedMs = 2_000

/** The buttons are a part of the article's HTML. */
async function copyCode({ target }: MouseEvent<HTMLElement>) {
  const button =
    target instanceof Element ? target.closest<HTMLButtonElement>('.code > button') : null
  const code = button?.previousElementSibling
  if (!button || !code) {
    return
  }

  try {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
  } catch {
    // The browser allows it on secure pages only.
    getSelection()?.selectAllChildren(code)
    button.textContent = 'Selected'
  }

  setTimeout(() => {
    button.textContent = 'Copy'
  }, copiedMs)
}

type ArticleEndProps = {
  isDone: boolean
  nextLessonId: string | null
  goOn: NextStepNavigation
  onReadToEnd(): void
  onMark(mark: Mark): void
}

/** The button is below the text, so that reading to the end and pressing it are one step. */
function ArticleEnd({ isDone, nextLessonId, goOn, onReadToEnd, onMark }: ArticleEndProps) {
  const end = useSeen(onReadToEnd)
  const doneMessage = useRef<HTMLParagraphElement>(null)
  useFocusOnChange(isDone, doneMessage, { onlyIfLost: true })

  const markDone = () => {
    onReadToEnd()
    onMark('done')
    if (nextLessonId) {
      goOn.go()
    }
  }

  return (
    <div ref={end} className="mt-10 border-line border-t pt-6 print:hidden">
      {isDone ? (
        <p
          ref={doneMessage}
          tabIndex={-1}
          className="inline-flex min-h-11 items-center gap-2 font-semibold text-good outline-none"
        >
          <Check aria-hidden="true" size={20} /> {articleRead}
        </p>
      ) : (
        <MarkForm mark="done" goOnTo={nextLessonId ?? ''} onMark={markDone}>
          <Button type="submit">
            {nextLessonId ? 'Mark as done and go on' : 'Mark as done'}
            {nextLessonId && <ArrowRight aria-hidden="true" size={18} />}
          </Button>
        </MarkForm>
      )}
    </div>
  )
}

/**
 * Everything above the window counts as seen: a jump to the end of the page skips it between two
 * frames.
 */
const allAbove = '100000px 0px 0px 0px'

function useSeen(onSeen: () => void) {
  const element = useRef<HTMLDivElement>(null)
  const seen = useEffectEvent(onSeen)
  useEffect(() => {
    if (!element.current) {
      return
    }

    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) {
          seen()
        }
      },
      { rootMargin: allAbove },
    )

    observer.observe(element.current)

    return () => observer.disconnect()
  }, [])

  return element
}
