import { ButtonLink } from '~/ui/button'
import { ProgressBar } from '~/ui/progress-bar'
import { nextStepOf, type ProgressSummary, progressText } from './progress-summary'

/** 'Start', or 'Continue' with the lesson; in the place of the price. */
export function ContinueButton({ progress }: { progress: ProgressSummary }) {
  const way = nextStepOf(progress)
  if (!way) {
    return <p className="text-muted">The lessons aren’t ready yet.</p>
  }

  return (
    <ButtonLink to={way.to} className="min-h-13 w-full py-1.5">
      <span className="line-clamp-2">{way.text}</span>
    </ButtonLink>
  )
}

/** As high as the wish list's button, whose place it takes. */
export function CourseProgressLine({ progress }: { progress: ProgressSummary }) {
  const { percent } = progress
  return (
    <div className="grid min-h-11 content-center gap-1.5">
      <ProgressBar percent={percent} label="Your progress in this course" />
      <p className="flex justify-between gap-4 text-sm">
        <span>{progressText(progress)}</span>
        <span className="font-bold tabular-nums">{percent}%</span>
      </p>
    </div>
  )
}
