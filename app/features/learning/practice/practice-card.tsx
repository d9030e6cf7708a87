import { BrainCircuit } from 'lucide-react'
import { ButtonLink } from '~/ui/button'
import { hasPractice, type PracticeToday, practiceMinutes } from './practice-data'
import { aboutMinutes, doneForToday, nextQuestionText, questionsToday } from './practice-messages'

/**
 * Today's practice on the profile. Nothing is displayed while there is nothing to practice.
 *
 * @property day the learner's day, like "2026-11-20"
 */
export function PracticeCard({ today, day }: { today: PracticeToday; day: string }) {
  if (!hasPractice(today)) {
    return null
  }

  const { remaining, practiced } = today
  const isDone = remaining === 0

  return (
    <section aria-labelledby="practice" className="card flex flex-col p-5 sm:p-6">
      <div className="flex items-center gap-4">
        <span
          aria-hidden="true"
          className="grid size-12 shrink-0 place-items-center rounded-full bg-accent-soft text-accent-strong"
        >
          <BrainCircuit size={24} />
        </span>
        <div className="min-w-0">
          <h2 id="practice" className="font-bold text-lg leading-snug">
            {questionsToday(remaining)}
          </h2>
          <p className="text-muted text-sm">
            {isDone ? getDoneText(today, day) : aboutMinutes(practiceMinutes(remaining))}
          </p>
        </div>
      </div>
      {!isDone && (
        <ButtonLink to="/Practice" variant="secondary" className="mt-5 w-full">
          {practiced > 0 ? 'Keep practicing' : 'Practice now'}
        </ButtonLink>
      )}
    </section>
  )
}

function getDoneText({ practiced, nextOn }: PracticeToday, day: string): string {
  const sentences = [practiced > 0 && doneForToday, nextOn && nextQuestionText(nextOn, day)]
  return sentences.filter(Boolean).join(' ')
}
