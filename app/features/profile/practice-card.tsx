import { BrainCircuit } from 'lucide-react'
import {
  estimatePracticeMinutes,
  type PracticeToday,
} from '~/features/learning/practice/practice-data'
import { nextQuestionText, practiceMessages } from '~/features/learning/practice/practice-messages'
import { ButtonLink } from '~/ui/button'
import { byCount } from '~/ui/format-count'

type PracticeCardProps = {
  practice: PracticeToday
  /** The current day in the learner's time zone, such as 2026-11-20. */
  today: string
}

/** Shows how many questions the learner can practice today. */
export function PracticeCard({ practice, today }: PracticeCardProps) {
  const { remainingCount, practicedCount } = practice
  const isDone = remainingCount === 0

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
            {formatHeading(remainingCount)}
          </h2>
          <p className="text-muted text-sm">
            {isDone
              ? formatDoneText(practice, today)
              : formatDuration(estimatePracticeMinutes(remainingCount))}
          </p>
        </div>
      </div>
      {!isDone && (
        <ButtonLink to="/Practice" variant="secondary" className="mt-5 w-full">
          {practicedCount > 0 ? 'Keep practicing' : 'Practice now'}
        </ButtonLink>
      )}
    </section>
  )
}

function formatHeading(questionCount: number): string {
  if (questionCount === 0) {
    return 'Practice'
  }

  return byCount(
    questionCount,
    '1 question to practice today',
    `${questionCount} questions to practice today`,
  )
}

function formatDoneText({ practicedCount, nextDueDay }: PracticeToday, today: string): string {
  const sentences: string[] = []
  if (practicedCount > 0) {
    sentences.push(practiceMessages.doneForToday)
  }

  if (nextDueDay) {
    sentences.push(nextQuestionText(nextDueDay, today))
  }

  return sentences.join(' ')
}

function formatDuration(minutes: number): string {
  return byCount(minutes, 'About 1 minute', `About ${minutes} minutes`)
}
