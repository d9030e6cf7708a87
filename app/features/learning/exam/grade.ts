export type Grade = 'excellent' | 'good' | 'average'

/** Excellent from 90 %, good from 75 %, otherwise average; compared in whole points, so that nothing is rounded up. */
export function gradeOf({ score, maxScore }: { score: number; maxScore: number }): Grade {
  if (score * 100 >= maxScore * 90) return 'excellent'
  return score * 100 >= maxScore * 75 ? 'good' : 'average'
}

/** Whole percent, rounded down. */
export function scorePercent({ score, maxScore }: { score: number; maxScore: number }): number {
  return maxScore > 0 ? Math.floor((score * 100) / maxScore) : 0
}
