import { Check } from 'lucide-react'
import { Moment } from '~/ui/moment'
import { nextStepNotice } from './lesson-messages'
import type { NextStep } from './next-step'

/** A lesson was finished here; the way on stands right below. A finished course has a moment of its own. */
export function LessonEnding({ step }: { step: NextStep }) {
  return <Moment icon={<Check size={28} />} {...nextStepNotice(step)} />
}
