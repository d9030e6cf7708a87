import type { KeptAnswer } from './exam-answer-saver'

/** One a question, so that several tabs keep their answers side by side. */
const storageKey = (attemptId: string, question: number) => `learnify-exam-${attemptId}-${question}`

/** If storage is full or forbidden, only the backup copy is lost. */
export function keepAnswer(attemptId: string, question: number, answer: KeptAnswer): void {
  try {
    localStorage.setItem(storageKey(attemptId, question), JSON.stringify(answer))
  } catch {}
}

export function forgetAnswer(attemptId: string, question: number, { givenAt }: KeptAnswer): void {
  const kept = readKeptAnswer(attemptId, question)
  if (kept && kept.givenAt <= givenAt) localStorage.removeItem(storageKey(attemptId, question))
}

export function listKeptAnswers(attemptId: string, count: number): [number, KeptAnswer][] {
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((question) => {
    const kept = readKeptAnswer(attemptId, question)
    return kept ? [[question, kept]] : []
  })
}

function readKeptAnswer(attemptId: string, question: number): KeptAnswer | null {
  try {
    return JSON.parse(localStorage.getItem(storageKey(attemptId, question)) ?? 'null')
  } catch {
    return null
  }
}
