import { CircleHelp, CirclePlay, Clock, FileText } from 'lucide-react'
import type { LessonKind } from '~/features/progress/lesson-work'

export const kindNames: Record<LessonKind, string> = {
  video: 'Video',
  article: 'Article',
  quiz: 'Quiz',
  announced: 'Coming soon',
}

const icons = { video: CirclePlay, article: FileText, quiz: CircleHelp, announced: Clock }

/** What kind of lesson it is; the word stands beside it, or in the link's name. */
export function LessonIcon({
  kind,
  size = 18,
  className = '',
}: {
  kind: LessonKind
  size?: number
  className?: string
}) {
  const Icon = icons[kind]
  return <Icon aria-hidden="true" size={size} className={`shrink-0 ${className}`} />
}
