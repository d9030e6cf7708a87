const storageKey = 'learnify-exam-place'

/** Keeps the question that a learner is at, who comes back to it in this browser; only that of the latest attempt. */
export function keepPlace(attemptId: string, question: number): void {
  try {
    localStorage.setItem(storageKey, `${attemptId} ${question}`)
  } catch {}
}

/** @returns the number of a question from 1, or null if none is kept. */
export function readPlace(attemptId: string): number | null {
  try {
    const [attempt, question] = (localStorage.getItem(storageKey) ?? '').split(' ')
    return (attempt === attemptId && Number(question)) || null
  } catch {
    return null
  }
}
