import { Badge } from '../desk-parts'
import type { AnnouncementStatus } from './announcement-types'

const badgeTexts: Record<AnnouncementStatus, string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  sending: 'Being sent',
  stopped: 'Stopped',
  done: 'Sent',
}

const badgeVariants = {
  draft: 'plain',
  scheduled: 'warn',
  sending: 'warn',
  stopped: 'bad',
  done: 'good',
} as const

export function AnnouncementBadge({ status }: { status: AnnouncementStatus }) {
  return <Badge variant={badgeVariants[status]}>{badgeTexts[status]}</Badge>
}
