import type { Grade } from './grade'

const gradeColors: Record<Grade, string> = {
  excellent: 'bg-good-soft text-good',
  good: 'bg-accent-soft text-accent-strong',
  average: 'bg-warn-soft text-warn',
}

/** Displays a grade as a word. The color repeats what the word says. */
export function GradeBadge({ grade }: { grade: Grade }) {
  return (
    <span
      className={`inline-block whitespace-nowrap rounded-full px-2.5 py-0.5 font-semibold text-sm capitalize ${gradeColors[grade]}`}
    >
      {grade}
    </span>
  )
}
