/** What a score means: the whole percent, the grade, and whether the exam is passed. */

type Score = { score: number; maxScore: number }

/** Returns the score in whole percent, rounded down. */
export function getScorePercent({ score, maxScore }: Score): number {
  return maxScore > 0 ? Math.floor((score * 100) / maxScore) : 0
}

export type Grade = 'excellent' | 'good' | 'average'

/** Scores below the percentage of `good` are average. */
export const minPercentByGrade = { excellent: 90, good: 75 } as const

/** Explains the grades to learners. */
export const gradeRule = `${minPercentByGrade.excellent}% and up is excellent, ${minPercentByGrade.good}% and up is good; anything lower is average.`

export function getGrade(score: Score): Grade {
  if (hasReached(score, minPercentByGrade.excellent)) {
    return 'excellent'
  }

  return hasReached(score, minPercentByGrade.good) ? 'good' : 'average'
}

/**
 * Returns whether a score passes the exam. The generated column `exam_attempts.passed` has the same
 * rule in SQL.
 */
export function isPassed(score: Score, passPercent: number): boolean {
  return hasReached(score, passPercent)
}

/** Returns the lowest score that passes. */
export function getPointsToPass(maxScore: number, passPercent: number): number {
  return Math.ceil((maxScore * passPercent) / 100)
}

/** Compares whole numbers, because a rounded percentage could lift a score to the next grade. */
function hasReached({ score, maxScore }: Score, percent: number): boolean {
  return score * 100 >= maxScore * percent
}
