export type Grade = 'excellent' | 'good' | 'average'

/** From so many percent; less is average. */
export const gradeFrom = { excellent: 90, good: 75 } as const

/** Compared in whole points, so that nothing is rounded up. */
export function gradeOf({ score, maxScore }: { score: number; maxScore: number }): Grade {
  if (score * 100 >= maxScore * gradeFrom.excellent) {
    return 'excellent'
  }

  return score * 100 >= maxScore * gradeFrom.good ? 'good' : 'average'
}

/** Whole percent, rounded down. */
export function scorePercent({ score, maxScore }: { score: number; maxScore: number }): number {
  return maxScore > 0 ? Math.floor((score * 100) / maxScore) : 0
}
