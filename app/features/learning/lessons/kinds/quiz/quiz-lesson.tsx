import { useContext, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Formulas, FormulaText } from '~/ui/formula-text'
import { explanationUrl, LessonPathContext, learnPath } from '../../lesson-url'
import type { LessonView, LessonViewProps } from '../lesson-view'
import type { QuizQuestion as Question, QuizMaterial } from './quiz-material.server'
import { questionPositionText, quizScoreText, quizSummaryText } from './quiz-messages'
import { AnsweredMark, QuizQuestion } from './quiz-question'
import { getQuizScore, getRunStage, newRun, type QuestionRun } from './quiz-run'
import { useQuizState } from './quiz-state'

export const quizView: LessonView<QuizMaterial> = {
  hasPlaybackTime: false,
  hasTableOfContents: false,

  getTranscript() {
    return []
  },

  Lesson: QuizLesson,
}

type QuizLessonProps = Pick<
  LessonViewProps<QuizMaterial>,
  'material' | 'courseId' | 'lessons' | 'progress' | 'isDone' | 'reporter'
> & { lesson: { id: string } }

/** A question and what the learner has done with it. */
type QuestionState = {
  id: string
  run: QuestionRun
  /** Whether the question was ever answered, also on an earlier visit. */
  isAnswered: boolean
}

/**
 * Displays one question at a time, and the solution right after its answer. Nothing is graded: a
 * quiz is done once every question was answered. Without scripts and on paper, all questions are
 * displayed.
 */
export function QuizLesson(props: QuizLessonProps) {
  const { material, courseId, lesson, lessons, isDone, reporter } = props
  const { questions } = material
  const { answered: answeredIds } = props.progress
  const [{ displayedId, runs }, saveQuizState] = useQuizState(courseId, lesson.id)
  const quizElement = useRef<HTMLDivElement>(null)
  const lessonPath = useContext(LessonPathContext)

  const displayedIndex = findDisplayedIndex(questions, answeredIds, displayedId)
  const isReview = displayedIndex === questions.length
  const questionStates = questions.map(
    ({ id }): QuestionState => ({
      id,
      run: runs[id] ?? newRun,
      isAnswered: answeredIds.includes(id),
    }),
  )

  const goTo = (index: number) => {
    // The question has to be on the page before it can take the focus.
    flushSync(() => saveQuizState({ displayedId: questions[index]?.id ?? reviewId, runs }))
    quizElement.current?.querySelector<HTMLElement>('[data-current=true] [data-focus]')?.focus()
  }

  const handleRunChange = (questionId: string, run: QuestionRun) => {
    saveQuizState({ displayedId: questionId, runs: { ...runs, [questionId]: run } })
  }

  const handleTry = (questionId: string, isRight: boolean) => {
    if (!isRight) {
      reporter.recordMissedQuestion(questionId)
    }

    reporter.recordAnswer(questionId)
  }

  /**
   * Returns a link to the lesson that explains the question. In a preview, it stays in the preview.
   */
  const getExplanationLink = ({ explainedIn }: Question) => {
    const [explainingLessonId] = explainedIn?.split('#') ?? []
    const explainingLesson = lessons.find(({ id }) => id === explainingLessonId)
    if (!explainedIn || !explainingLesson) {
      return null
    }

    const learnerUrl = explanationUrl(courseId, explainedIn)
    return { to: lessonPath + learnerUrl.slice(learnPath.length), title: explainingLesson.title }
  }

  return (
    <Formulas html={material.formulas}>
      <div ref={quizElement} className="mx-auto w-full max-w-4xl px-[clamp(1rem,4vw,2.5rem)] pt-6">
        <QuizProgress
          questionStates={questionStates}
          displayedIndex={displayedIndex}
          onGoTo={goTo}
        />
        <ol className="flex flex-col gap-6">
          {questions.map((question, index) => (
            <li
              key={question.id}
              data-current={index === displayedIndex}
              className="data-[current=false]:hidden noscript:block! print:block!"
            >
              <QuizQuestion
                question={question}
                number={index + 1}
                count={questions.length}
                isAnswered={answeredIds.includes(question.id)}
                run={runs[question.id] ?? newRun}
                explanationLink={getExplanationLink(question)}
                onChange={(run) => handleRunChange(question.id, run)}
                onTry={(isRight) => handleTry(question.id, isRight)}
                onContinue={() => goTo(index + 1)}
              />
            </li>
          ))}
        </ol>
        {isReview && (
          <QuizReview questions={questions} questionStates={questionStates} onGoTo={goTo} />
        )}
        <QuizSummary questionStates={questionStates} isDone={isDone} />
      </div>
    </Formulas>
  )
}

/** Is stored in place of a question's id while the review of all questions is displayed. */
const reviewId = 'review'

/**
 * Returns the index of the question to display, or the number of questions for the review. It is
 * the question that was displayed last or, without one, the first that was not answered yet.
 *
 * @param displayedId the id of the question that was displayed last, if any
 */
export function findDisplayedIndex(
  questions: readonly { id: string }[],
  answeredIds: readonly string[],
  displayedId: string | null,
): number {
  const lastDisplayedIndex = questions.findIndex(({ id }) => id === displayedId)
  if (lastDisplayedIndex >= 0) {
    return lastDisplayedIndex
  }

  const firstOpenIndex = questions.findIndex(({ id }) => !answeredIds.includes(id))
  if (displayedId === reviewId || firstOpenIndex < 0) {
    return questions.length
  }

  return firstOpenIndex
}

type NavigationProps = { questionStates: readonly QuestionState[]; onGoTo(index: number): void }

/** Displays a button for each question, and marks the displayed one. */
function QuizProgress({
  questionStates,
  displayedIndex,
  onGoTo,
}: NavigationProps & { displayedIndex: number }) {
  return (
    <ol aria-label="Questions" className="mb-4 flex flex-wrap gap-2 noscript:hidden print:hidden">
      {questionStates.map((questionState, index) => {
        const label = questionPositionText(index + 1, questionStates.length)
        return (
          <li key={questionState.id}>
            <button
              type="button"
              aria-label={questionState.isAnswered ? `${label}, answered` : label}
              aria-current={index === displayedIndex ? 'step' : undefined}
              onClick={() => onGoTo(index)}
              className={`grid size-9 place-items-center rounded-full border text-sm font-semibold tabular-nums hover:border-ink aria-[current=step]:outline-2 aria-[current=step]:outline-accent aria-[current=step]:outline-offset-2 ${getQuestionColorClasses(questionState)}`}
            >
              {index + 1}
            </button>
          </li>
        )
      })}
    </ol>
  )
}

/** Returns the classes of a question's button. Only a right answer is displayed as a success. */
function getQuestionColorClasses({ run, isAnswered }: QuestionState): string {
  if (!isAnswered) {
    return 'border-line'
  }

  const isRight = getRunStage(run) === 'right'
  return isRight ? 'border-good bg-good-soft text-good' : 'border-edge bg-sunken'
}

/** Lists all questions behind the last one, so that the learner can return to any of them. */
function QuizReview({
  questions,
  questionStates,
  onGoTo,
}: NavigationProps & { questions: readonly Question[] }) {
  return (
    <section data-current className="card p-5 sm:p-7 noscript:hidden print:hidden">
      <h2 data-focus tabIndex={-1} className="font-bold text-lg outline-none">
        All questions
      </h2>
      <ul className="mt-3 flex flex-col gap-2">
        {questionStates.map(({ id, run, isAnswered }, index) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onGoTo(index)}
              className="flex min-h-11 w-full items-start gap-3 rounded-control border border-line px-4 py-2.5 text-left hover:border-edge"
            >
              <span className="tabular-nums text-muted">{index + 1}</span>
              <span dir="auto" className="min-w-0 flex-1">
                <FormulaText text={questions[index]?.question ?? ''} />
              </span>
              <AnsweredMark run={run} isAnswered={isAnswered} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

type QuizSummaryProps = { questionStates: readonly QuestionState[]; isDone: boolean }

/** Says how many questions are left, and how many tries were right. */
function QuizSummary({ questionStates, isDone }: QuizSummaryProps) {
  const score = getQuizScore(questionStates.map(({ run }) => run))
  const questionCount = questionStates.length
  const openCount = questionStates.filter(({ isAnswered }) => !isAnswered).length
  const isEverythingRight = score.rightCount === questionCount

  return (
    <div role="status" className="mt-6">
      <p className="font-semibold">
        {quizSummaryText({ openCount, questionCount, isDone, isEverythingRight })}
      </p>
      {score.triedCount > 0 && <p className="text-muted">{quizScoreText(score)}</p>}
    </div>
  )
}
