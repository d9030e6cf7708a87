/**
 * How much of a course a learner has finished, weighted by lesson length. Only lessons that have material and still
 * stand in the curriculum count.
 *
 * @returns whole percent, 0 to 100, rounded down: only a finished course shows 100. 0 for a course without material.
 */
export function courseProgressPercent({ doneSeconds, totalSeconds }: { doneSeconds: number; totalSeconds: number }) {
  if (totalSeconds <= 0) return 0
  return Math.min(100, Math.floor((doneSeconds * 100) / totalSeconds))
}
