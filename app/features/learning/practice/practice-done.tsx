import { BrainCircuit, CircleCheckBig } from 'lucide-react'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import type { PracticeToday } from './practice-data'
import { nextQuestionText, nothingToPractice, practiceDone } from './practice-messages'

/** Nothing is left today: what was done, and when the next question comes. @param day the learner's. */
export function PracticeDone({ today, day }: { today: PracticeToday; day: string }) {
  const { practiced, right, nextOn } = today
  const next = nextOn && nextQuestionText(nextOn, day)
  if (practiced > 0) {
    return (
      <EmptyState
        icon={<CircleCheckBig />}
        title={practiceDone.title}
        action={<ButtonLink to="/Profile">Back to your profile</ButtonLink>}
      >
        {practiceDone.text(practiced, right)} {next}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<BrainCircuit />}
      title={nothingToPractice.title}
      action={<ButtonLink to="/Profile/current-courses">Your courses</ButtonLink>}
    >
      {next ?? nothingToPractice.text}
    </EmptyState>
  )
}
