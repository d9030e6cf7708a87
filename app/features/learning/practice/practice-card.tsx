import { BrainCircuit } from 'lucide-react'
import { ButtonLink } from '~/ui/button'
import { type PracticeToday, practiceMinutes } from './practice-data'
import { aboutMinutes, doneForToday, nextQuestionText, questionsToday } from './practice-messages'

/** Today's practice; nothing while no question waits. @param day the learner's, like 2026-11-20. */
export function PracticeCard({ today, day }: { today: PracticeToday; day: string }) {
  const { left, practiced, nextOn } = today
  if (left === 0 && practiced === 0 && !nextOn) {
    return null
  }

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
            {questionsToday(left)}
          </h2>
          <p className="text-muted text-sm">
            {left > 0 ? aboutMinutes(practiceMinutes(left)) : quietText(practiced, nextOn, day)}
          </p>
        </div>
      </div>
      {left > 0 && (
        <ButtonLink to="/Practice" variant="secondary" className="mt-5 w-full">
          {practiced > 0 ? 'Keep practicing' : 'Practice now'}
        </ButtonLink>
      )}
    </section>
  )
}

function quietText(practiced: number, nextOn: string | null, day: string): string {
  const sentences = [practiced > 0 && doneForToday, nextOn && nextQuestionText(nextOn, day)]
  return sentences.filter(Boolean).join(' ')
}
