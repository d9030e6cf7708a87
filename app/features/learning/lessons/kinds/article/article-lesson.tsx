import { ArrowRight, Check } from 'lucide-react'
import { type MouseEvent, useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '~/ui/button'
import { Formulas } from '~/ui/formula-text'
import { useFocusOnChange } from '~/ui/hooks'
import { ProseText } from '~/ui/prose-text'
import type { Mark } from '../../../progress/lesson-progress'
import { MarkForm } from '../../lesson-form'
import { lessonMessages } from '../../lesson-messages'
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

/** The columns have fixed widths, so that the article doesn't move when its contents arrive. */
const columnsWithContents =
  'min-[75rem]:grid min-[75rem]:grid-cols-[minmax(0,36rem)_12rem] min-[75rem]:justify-center min-[75rem]:gap-10'

/**
 * Displays an article with a readable line length and, in a wide window, its table of contents. At
 * the end, the learner can mark it as done.
 */
function ArticleLesson(props: LessonViewProps<ArticleMaterial>) {
  const { material, isDone, nextStep, navigation, reporter } = props
  const { html, direction, headings } = material
  const hasContents = headings.length > 1
  const hasFormulas = html.includes('<math')

  return (
    <Formulas html={{}} alsoElsewhere={hasFormulas}>
      <div
        className={`mx-auto w-full px-[clamp(1rem,4vw,2.5rem)] pt-3 lg:pt-6 ${hasContents ? columnsWithContents : ''}`}
      >
        <article className="mx-auto w-full max-w-[36rem] print:max-w-none">
          <ProseText html={html} dir={direction} onClick={copyCode} />
          <ArticleEnd
            isDone={isDone}
            nextLessonId={nextStep.kind === 'lesson' ? nextStep.lesson.id : null}
            navigation={navigation}
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

/** How long the button displays the result of copying. */
const copyResultMs = 2_000

/** Copies the code whose button was clicked. The buttons are a part of the article's HTML. */
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
    // Browsers permit copying only on secure pages. The learner can copy the selected code.
    getSelection()?.selectAllChildren(code)
    button.textContent = 'Selected'
  }

  setTimeout(() => {
    button.textContent = 'Copy'
  }, copyResultMs)
}

type ArticleEndProps = {
  isDone: boolean
  nextLessonId: string | null
  navigation: NextStepNavigation
  onReadToEnd(): void
  onMark(mark: Mark): void
}

/**
 * Ends the article with the button that marks it as done. Reaching the end counts as reading it.
 */
function ArticleEnd({ isDone, nextLessonId, navigation, onReadToEnd, onMark }: ArticleEndProps) {
  const end = useOnVisible(onReadToEnd)
  const doneMessage = useRef<HTMLParagraphElement>(null)
  useFocusOnChange(isDone, doneMessage, { onlyIfLost: true })

  const markDone = () => {
    onReadToEnd()
    onMark('done')
    if (nextLessonId) {
      navigation.open()
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
          <Check aria-hidden="true" size={20} /> {lessonMessages.articleRead}
        </p>
      ) : (
        <MarkForm mark="done" nextLessonId={nextLessonId} onMark={markDone}>
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
 * Extends the window upward, so that an element above it counts as visible. A jump to the end of
 * the page passes elements without displaying them.
 */
const marginAboveWindow = '100000px 0px 0px 0px'

/** @returns the ref of the element whose appearance calls `onVisible` */
function useOnVisible(onVisible: () => void) {
  const elementRef = useRef<HTMLDivElement>(null)
  const handleVisible = useEffectEvent(onVisible)

  useEffect(() => {
    const element = elementRef.current
    if (!element) {
      return
    }

    const observer = new IntersectionObserver(
      (entries) => {
        const isVisible = entries.some((entry) => entry.isIntersecting)
        if (isVisible) {
          handleVisible()
        }
      },
      { rootMargin: marginAboveWindow },
    )
    observer.observe(element)

    return () => observer.disconnect()
  }, [])

  return elementRef
}
