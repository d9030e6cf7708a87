import { useContext, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Formulas, FormulaText } from '~/ui/formula-text'
import { PageLearnerContext } from '../../lesson-form'
import { questionPlace, quizScoreText, quizSummary } from '../../lesson-messages'
import { explanationUrl, LessonPathContext, learnPath } from '../../lesson-url'
import type { LessonView, LessonViewProps } from '../lesson-view'
import type { QuizQuestion as Question, QuizMaterial } from './quiz-material.server'
import { AnsweredMark, QuizQuestion } from './quiz-question'
import { getRunStage, newRun, type QuestionRun, quizScore } from './quiz-run'

export const quizView: LessonView<QuizMaterial> = {
  hasPlaybackTime: false,
  hasTableOfContents: false,

  getTranscript() {
    return []
  },

  Lesson: QuizLesson,
}

/**
 * One question at a time, with its answer at once. Nothing is graded: a quiz is done when every
 * question was answered. Without scripts, and on paper, all questions are shown.
 */
type QuizLessonProps = Pick<
  LessonViewProps<QuizMaterial>,
  'material' | 'courseId' | 'lessons' | 'progress' | 'isDone' | 'reporter'
> & { lesson: { id: string } }

export function QuizLesson(props: QuizLessonProps) {
  const { material, courseId, lesson, lessons, isDone, reporter } = props
  const { questions } = material
  const { answered } = props.progress
  const [{ at, runs }, change] = useQuizState(courseId, lesson.id)
  const view = useRef<HTMLDivElement>(null)
  const path = useContext(LessonPathContext)
  const current = findDisplayedQuestion(questions, answered, at)
  const states = questions.map(({ id }) => ({
    id,
    run: runs[id] ?? newRun,
    answered: answered.includes(id),
  }))
  const goTo = (index: number) => {
    flushSync(() => change({ at: questions[index]?.id ?? reviewing, runs }))
    view.current?.querySelector<HTMLElement>('[data-current=true] [data-focus]')?.focus()
  }
  const placeOf = ({ explainedIn }: Question) => {
    const lesson = lessons.find(({ id }) => id === explainedIn?.split('#')[0])
    if (!explainedIn || !lesson) {
      return null
    }

    const to = path + explanationUrl(courseId, explainedIn).slice(learnPath.length)

    return { to, title: lesson.title }
  }

  return (
    <Formulas html={material.formulas}>
      <div ref={view} className="mx-auto w-full max-w-4xl px-[clamp(1rem,4vw,2.5rem)] pt-6">
        <QuizProgress states={states} current={current} onGoTo={goTo} />
        <ol className="flex flex-col gap-6">
          {questions.map((question, index) => (
            <li
              key={question.id}
              data-current={index === current}
              className="data-[current=false]:hidden noscript:block! print:block!"
            >
              <QuizQuestion
                question={question}
                number={index + 1}
                count={questions.length}
                answered={answered.includes(question.id)}
                run={runs[question.id] ?? newRun}
                explainedIn={placeOf(question)}
                onChange={(run) =>
                  change({ at: question.id, runs: { ...runs, [question.id]: run } })
                }
                onTry={(right) => {
                  if (!right) {
                    reporter.recordMissed(question.id)
                  }

                  reporter.recordAnswer(question.id)
                }}
                onContinue={() => goTo(index + 1)}
              />
            </li>
          ))}
        </ol>
        {current === questions.length && (
          <QuizReview questions={questions} states={states} onGoTo={goTo} />
        )}
        <QuizSummary states={states} done={isDone} />
      </div>
    </Formulas>
  )
}

/** Instead of a question's id: the list of all questions, behind the last one. */
const reviewing = 'review'

/**
 * The index of the question to show: where the learner was, else the first that is open; behind the
 * last the review.
 */
export function findDisplayedQuestion(
  questions: readonly { id: string }[],
  answered: readonly string[],
  at: string | null,
) {
  const left = questions.findIndex(({ id }) => id === at)
  if (left >= 0) {
    return left
  }

  const open = questions.findIndex(({ id }) => !answered.includes(id))

  return at === reviewing || open < 0 ? questions.length : open
}

type QuestionState = { id: string; run: QuestionRun; answered: boolean }

/** Only a right answer is shown as a success. */
const colors = {
  right: 'border-good bg-good-soft text-good',
  answered: 'border-edge bg-sunken',
  open: 'border-line',
}

function getQuestionColors({ run, answered }: QuestionState) {
  if (!answered) {
    return colors.open
  }

  return getRunStage(run) === 'right' ? colors.right : colors.answered
}

type GoToProps = { onGoTo(index: number): void }

function QuizProgress({
  states,
  current,
  onGoTo,
}: GoToProps & { states: readonly QuestionState[]; current: number }) {
  return (
    <ol aria-label="Questions" className="mb-4 flex flex-wrap gap-2 noscript:hidden print:hidden">
      {states.map((state, index) => (
        <li key={state.id}>
          <button
            type="button"
            aria-label={`${questionPlace(index + 1, states.length)}${state.answered ? ', answered' : ''}`}
            aria-current={index === current ? 'step' : undefined}
            onClick={() => onGoTo(index)}
            className={`grid size-9 place-items-center rounded-full border text-sm font-semibold tabular-nums hover:border-ink aria-[current=step]:outline-2 aria-[current=step]:outline-accent aria-[current=step]:outline-offset-2 ${getQuestionColors(state)}`}
          >
            {index + 1}
          </button>
        </li>
      ))}
    </ol>
  )
}

/** Behind the last question: all of them, to look at again. */
function QuizReview({
  questions,
  states,
  onGoTo,
}: GoToProps & { questions: readonly Question[]; states: readonly QuestionState[] }) {
  return (
    <section data-current className="card p-5 sm:p-7 noscript:hidden print:hidden">
      <h2 data-focus tabIndex={-1} className="font-bold text-lg outline-none">
        All questions
      </h2>
      <ul className="mt-3 flex flex-col gap-2">
        {states.map((state, index) => (
          <li key={state.id}>
            <button
              type="button"
              onClick={() => onGoTo(index)}
              className="flex min-h-11 w-full items-start gap-3 rounded-control border border-line px-4 py-2.5 text-left hover:border-edge"
            >
              <span className="tabular-nums text-muted">{index + 1}</span>
              <span dir="auto" className="min-w-0 flex-1">
                <FormulaText text={questions[index]?.question ?? ''} />
              </span>
              <AnsweredMark {...state} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function QuizSummary({ states, done }: { states: readonly QuestionState[]; done: boolean }) {
  const { right, onSecondTry, tried } = quizScore(states.map(({ run }) => run))
  const open = states.filter(({ answered }) => !answered).length

  return (
    <div role="status" className="mt-6">
      <p className="font-semibold">
        {quizSummary(open, states.length, done, right === states.length)}
      </p>
      {tried > 0 && <p className="text-muted">{quizScoreText(right, tried, onSecondTry)}</p>}
    </div>
  )
}

/** `at`: the id of the question that was shown last. */
type QuizState = { at: string | null; runs: Readonly<Record<string, QuestionRun>> }

/**
 * This learner's place and runs in one quiz. They are stored in this browser, so that a reload
 * shows them again.
 */
function useQuizState(courseId: string, lessonId: string) {
  const key = quizKey(useContext(PageLearnerContext), courseId, lessonId)
  const [state, setState] = useState<QuizState>({ at: null, runs: {} })
  useLayoutEffect(() => setState(readQuiz(key)), [key])
  const change = (changed: QuizState) => setState(storeQuiz(key, changed))

  return [state, change] as const
}

export function quizKey(uid: string, courseId: string, lessonId: string): string {
  return `quiz ${uid} ${courseId}/${lessonId}`
}

/** Unreadable entries count as none. Until 2026-11 only the runs were stored. */
export function readQuiz(key: string): QuizState {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? '{}')
    const { at, runs = stored } = stored
    const readable = Object.entries(runs).filter((entry): entry is [string, QuestionRun] =>
      isRun(entry[1]),
    )

    return { at: typeof at === 'string' ? at : null, runs: Object.fromEntries(readable) }
  } catch {
    return { at: null, runs: {} }
  }
}

function isRun(value: unknown): value is QuestionRun {
  const { tries, solutionAsked, chosen } = (value ?? {}) as Record<keyof QuestionRun, unknown>
  return Array.isArray(tries) && typeof solutionAsked === 'boolean' && Array.isArray(chosen)
}

/** @returns the state together with answers to other questions that another tab has stored. */
export function storeQuiz(key: string, { at, runs }: QuizState): QuizState {
  const state = { at, runs: { ...readQuiz(key).runs, ...runs } }
  try {
    localStorage.setItem(key, JSON.stringify(state))
  } catch {
    // Storage is switched off: the answers last as long as the page.
  }

  return state
}
