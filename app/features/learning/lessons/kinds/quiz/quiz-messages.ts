import { byCount } from '~/ui/format-count'
import type { QuizScore } from './quiz-run'

export const quizMessages = {
  chooseAnswerFirst: 'Choose an answer first.',
  judgments: {
    right: 'Correct.',
    rightThisTime: 'Correct this time.',
    wrong: 'Not quite.',
    oneMoreTry: 'You have one more try.',
  } as const,
}

export function questionPositionText(number: number, count: number): string {
  return `Question ${number} of ${count}`
}

type QuizSummary = {
  /** How many questions were never answered. */
  openCount: number
  questionCount: number
  isDone: boolean
  /** Whether every question was answered right in this browser. */
  isEverythingRight: boolean
}

export function quizSummaryText(summary: QuizSummary): string {
  const { openCount, questionCount, isDone, isEverythingRight } = summary
  if (openCount > 0) {
    return byCount(
      questionCount,
      '1 question left',
      `${openCount} of ${questionCount} questions left`,
    )
  }

  if (!isDone) {
    return 'You’ve answered every question. Mark this quiz as done when you’re ready.'
  }

  return isEverythingRight
    ? 'You’ve answered every question. Well done!'
    : 'You’ve answered every question.'
}

export function quizScoreText({ rightCount, triedCount, secondTryCount }: QuizScore): string {
  const score = `Your score: ${rightCount} of ${triedCount} correct`
  return secondTryCount === 0 ? score : `${score}, ${secondTryCount} on the second try`
}
