import { useContext, useLayoutEffect, useState } from 'react'
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
  const { runs, restored, change } = useQuizRuns(courseId, lessonId)
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
              key={restored.includes(question.id) ? 'restored' : 'new'}
              question={question}
              number={index + 1}
              count={questions.length}
              answered={answered.includes(question.id)}
              run={runOf(question.id)}
              explainedIn={placeOf(question)}
              onTry={(right, chosen) => {
                change(question.id, (run) => ({ ...run, tries: [...run.tries, right], chosen }))
                if (!right) onMissed(question.id)
                onAnswer(question.id)
              }}
              onSolution={() => change(question.id, (run) => ({ ...run, solutionAsked: true }))}
              onChooseAgain={() => change(question.id, (run) => ({ ...run, chosen: [] }))}
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
      <p className="font-semibold">{quizSummary(open, runs.length, done, right === runs.length)}</p>
      {tried > 0 && <p className="text-muted">{quizScoreText(right, tried, onSecondTry)}</p>}
    </div>
  )
}

type Runs = Readonly<Record<string, QuestionRun>>

/** The runs of this learner at one quiz, by question. They are stored in this browser, so that a reload shows them again. */
function useQuizRuns(courseId: string, lessonId: string) {
  const key = runsKey(useContext(PageLearner), courseId, lessonId)
  const [runs, setRuns] = useState<Runs>({})
  const [restored, setRestored] = useState<readonly string[]>([])
  useLayoutEffect(() => {
    const stored = readRuns(key)
    setRuns(stored)
    setRestored(Object.keys(stored))
  }, [key])
  const change = (questionId: string, to: (run: QuestionRun) => QuestionRun) => {
    const changed = { ...runs, [questionId]: to(runs[questionId] ?? newRun) }
    setRuns(changed)
    storeRuns(key, changed)
  }
  return { runs, restored, change }
}

export function runsKey(uid: string, courseId: string, lessonId: string): string {
  return `quiz ${uid} ${courseId}/${lessonId}`
}

/** Unreadable entries count as none. */
export function readRuns(key: string): Runs {
  try {
    const stored = Object.entries(JSON.parse(localStorage.getItem(key) ?? '{}'))
    return Object.fromEntries(stored.filter((entry): entry is [string, QuestionRun] => isRun(entry[1])))
  } catch {
    return {}
  }
}

function isRun(value: unknown): value is QuestionRun {
  const { tries, solutionAsked, chosen } = (value ?? {}) as Record<keyof QuestionRun, unknown>
  return Array.isArray(tries) && typeof solutionAsked === 'boolean' && Array.isArray(chosen)
}

export function storeRuns(key: string, runs: Runs): void {
  try {
    localStorage.setItem(key, JSON.stringify(runs))
  } catch {
    // Storage is switched off: the answers last as long as the page.
  }
}
