import { BrainCircuit, CircleCheckBig } from 'lucide-react'
import { ButtonLink } from '~/ui/button'
import { countText } from '~/ui/count-text'
import { EmptyState } from '~/ui/empty-state'
import type { PracticeToday } from './practice-data'
import { nextQuestionText } from './practice-words'

/** Nothing is left today: what was done, and when the next question comes. @param day the learner's. */
export function PracticeDone({ today, day }: { today: PracticeToday; day: string }) {
  const { practiced, right, nextOn } = today
  const next = nextOn && nextQuestionText(nextOn, day)
  if (practiced > 0) {
    return (
      <EmptyState
        icon={<CircleCheckBig />}
        title="That’s it for today"
        action={<ButtonLink to="/Profile">Back to your profile</ButtonLink>}
      >
        You practiced {countText(practiced, 'question')} and got {right} right. {next}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<BrainCircuit />}
      title="Nothing to practice today"
      action={<ButtonLink to="/Profile/current-courses">Your courses</ButtonLink>}
    >
      {next ??
        'When you get a quiz question wrong, it comes back here the next day. Exam questions follow once you pass.'}
    </EmptyState>
  )
}
