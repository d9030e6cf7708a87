type ProgressBarProps = { percent: number; label: string; className?: string }

/** Draws a labeled bar in SVG, because the content security policy forbids inline styles. */
export function ProgressBar({ percent, label, className = '' }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={className}
    >
      <svg
        aria-hidden="true"
        width="100%"
        height="8"
        className="block overflow-hidden rounded-full bg-line"
      >
        <rect width={`${percent}%`} height="8" rx="4" className="fill-accent" />
      </svg>
    </div>
  )
}
