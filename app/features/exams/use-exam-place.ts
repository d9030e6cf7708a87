import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import type { SittingData } from './exam-page-data'

type ExamStep = 'question' | 'review' | 'leave'

/**
 * What of a running exam is shown: its address says so. Without a step in it, the exam goes on at the question that the
 * learner was at: in this browser exactly, elsewhere at the latest that was answered.
 */
export function useExamPlace({ attemptId, questions, resumeAt }: SittingData) {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('question')
  const step: ExamStep = asked === 'review' || asked === 'leave' ? asked : 'question'
  const numberIn = (text: string | null) => Math.min(Math.max(Number(text) || resumeAt, 1), questions.length)
  const from = search.get('from')
  const number = numberIn(step === 'leave' ? from : asked)
  const resume = useEffectEvent(() => {
    const kept = asked === null ? readPlace(attemptId) : null
    if (kept !== null && kept !== number) setSearch({ question: String(numberIn(String(kept))) }, { replace: true })
  })
  useEffect(() => resume(), [])
  useEffect(() => {
    if (asked !== null && step === 'question') keepPlace(attemptId, number)
  }, [attemptId, asked, step, number])
  const goTo = (to: string) => {
    const here = step === 'question' ? String(number) : step
    setSearch(to === 'leave' ? { question: to, from: here } : { question: to }, { preventScrollReset: true })
  }
  return { step, number, from: from === 'review' ? from : String(number), goTo }
}

const storageKey = 'learnify-exam-place'

/** Keeps the question that a learner is at, who comes back to it in this browser; only that of the latest attempt. */
function keepPlace(attemptId: string, question: number): void {
  try {
    localStorage.setItem(storageKey, `${attemptId} ${question}`)
  } catch {}
}

/** @returns the number of a question from 1, or null if none is kept. */
function readPlace(attemptId: string): number | null {
  try {
    const [attempt, question] = (localStorage.getItem(storageKey) ?? '').split(' ')
    return (attempt === attemptId && Number(question)) || null
  } catch {
    return null
  }
}
