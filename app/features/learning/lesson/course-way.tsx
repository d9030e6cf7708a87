import { ButtonLink } from '~/ui/button'
import { ProgressBar } from '~/ui/progress-bar'
import { type CourseStanding, standingText, wayOn } from './course-standing'

/** 'Start', or 'Continue' with the lesson; in the place of the price. */
export function CourseWay({ standing }: { standing: CourseStanding }) {
  const way = wayOn(standing)
  if (!way) return <p className="text-muted">The lessons aren’t ready yet.</p>
  return (
    <ButtonLink to={way.to} className="min-h-13 w-full py-1.5">
      <span className="line-clamp-2">{way.text}</span>
    </ButtonLink>
  )
}

/** As high as the wish list's button, whose place it takes. */
export function CourseProgressLine({ standing }: { standing: CourseStanding }) {
  const { percent } = standing
  return (
    <div className="grid min-h-11 content-center gap-1.5">
      <ProgressBar percent={percent} label="Your progress in this course" />
      <p className="flex justify-between gap-4 text-sm">
        <span>{standingText(standing)}</span>
        <span className="font-bold tabular-nums">{percent}%</span>
      </p>
    </div>
  )
}
