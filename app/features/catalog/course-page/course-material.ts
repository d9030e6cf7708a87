/** The lessons that are there, and how long they are together: whole minutes, and never less than one. */
export function materialNow<Lesson extends { kind: string; durationSeconds: number }>(
  curriculum: readonly { lessons: readonly Lesson[] }[],
): { lessons: Lesson[]; minutes: number } {
  const lessons = curriculum.flatMap((section) => section.lessons).filter(({ kind }) => kind !== 'announced')
  const seconds = lessons.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)
  return { lessons, minutes: Math.max(1, Math.floor(seconds / 60)) }
}
