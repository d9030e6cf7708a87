import { Check } from 'lucide-react'
import { CelebrationCard } from '~/ui/celebration-card'
import { nextStepNotice } from './lesson-messages'
import type { NextStep } from './next-step'

/** A lesson was finished here; the way on stands right below. A finished course has a celebration of its own. */
export function LessonEnding({ step }: { step: NextStep }) {
  return <CelebrationCard icon={<Check size={28} />} {...nextStepNotice(step)} />
}
