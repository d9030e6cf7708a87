import { Check } from 'lucide-react'
import { Moment } from '~/ui/moment'
import { addressOf, type NextStep, stepLabels, stepNews } from './next-step'

/** A lesson was finished here, and what comes next. A finished course has a moment of its own. */
export function LessonEnding({ courseId, step }: { courseId: string; step: NextStep }) {
  const next = { to: addressOf(step, courseId), text: stepLabels[step.kind] }
  return <Moment icon={<Check size={28} />} {...stepNews(step)} next={next} />
}
