import { useContext, useState } from 'react'
import { explainingAddress } from '~/features/progress/explaining-place'
import { PageLearner } from '../lesson-form'
import { quizScoreText, quizSummary } from '../lesson-messages'
import type { LessonEntry, QuizQuestion as Question } from '../lesson-page-data'
import { QuizQuestion } from './quiz-question'
import { newRun, type QuestionRun, quizScore } from './quiz-rules'

type QuizLessonProps = {
  courseId: string
  lessonId: string
  questions: readonly Question[]
  /** Lessons of the course, which may explain a question. */
  lessons: readonly LessonEntry[]
  /** Ids of the questions that were answered, now or on an earlier visit. */
  answered: readonly string[]
  done: boolean
  onAnswer(questionId: string): void
  /** A wrong try, whatever comes after it. */
  onMissed(questionId: string): void
}

/** Questions with an answer at once. Nothing is graded: a quiz is done when every question was answered. */
export function QuizLesson(props: QuizLessonProps) {
  const { courseId, lessonId, questions, lessons, answered, done, onAnswer, onMissed } = props
  const { runs, change } = useQuizRuns(courseId, lessonId)
  const runOf = (id: string) => runs[id] ?? newRun
  const placeOf = ({ explainedIn }: Question) => {
    const lesson = lessons.find(({ id }) => id === explainedIn?.split('#')[0])
    return explainedIn && lesson ? { to: explainingAddress(courseId, explainedIn), title: lesson.title } : null
  }
  return (
    <div>
      <ol className="flex flex-col gap-6">
        {questions.map((question, index) => (
          <li key={question.id}>
            <QuizQuestion
              question={question}
              number={index + 1}
              count={questions.length}
              answered={answered.includes(question.id)}
              run={runOf(question.id)}
              explainedIn={placeOf(question)}
              onTry={(right) => {
                change(question.id, (run) => ({ ...run, tries: [...run.tries, right] }))
                if (!right) onMissed(question.id)
                onAnswer(question.id)
              }}
              onSolution={() => change(question.id, (run) => ({ ...run, solutionAsked: true }))}
              onRestart={() => change(question.id, () => newRun)}
            />
          </li>
        ))}
      </ol>
      <QuizSummary
        runs={questions.map(({ id }) => runOf(id))}
        open={questions.filter(({ id }) => !answered.includes(id)).length}
        done={done}
      />
    </div>
  )
}

function QuizSummary({ runs, open, done }: { runs: readonly QuestionRun[]; open: number; done: boolean }) {
  const { right, onSecondTry, tried } = quizScore(runs)
  return (
    <div role="status" className="mt-6">
      <p className="font-semibold">{quizSummary(open, runs.length, done)}</p>
      {tried > 0 && <p className="text-muted">{quizScoreText(right, tried, onSecondTry)}</p>}
    </div>
  )
}

type Runs = Readonly<Record<string, QuestionRun>>

/** By quiz; until the page is loaded anew, so that reading what explains a question and coming back loses nothing. */
const kept = new Map<string, Runs>()

function keptRuns(quiz: string): Runs {
  return kept.get(quiz) ?? {}
}

export function changeRun(quiz: string, questionId: string, to: (run: QuestionRun) => QuestionRun): Runs {
  const runs = keptRuns(quiz)
  const changed = { ...runs, [questionId]: to(runs[questionId] ?? newRun) }
  kept.set(quiz, changed)
  return changed
}

/** The runs of this learner at one quiz, and how to change one. */
function useQuizRuns(courseId: string, lessonId: string) {
  const quiz = `${useContext(PageLearner)}/${courseId}/${lessonId}`
  const [runs, setRuns] = useState(() => keptRuns(quiz))
  const change = (questionId: string, to: (run: QuestionRun) => QuestionRun) => setRuns(changeRun(quiz, questionId, to))
  return { runs, change }
}
