import { stateTexts } from '~/features/desk/announcements/announcement-messages'
import type { AnnouncementsPageData } from '~/features/desk/announcements/announcements-page.server'
import { Badge } from '~/features/desk/desk-parts'

type Announcements = AnnouncementsPageData

type Row = Announcements['rows'][number]

export function AnnouncementBadge({ state }: Pick<Row, 'state'>) {
  const variants = {
    draft: 'plain',
    scheduled: 'warn',
    sending: 'warn',
    stopped: 'bad',
    done: 'good',
  } as const

  return <Badge variant={variants[state]}>{stateTexts[state]}</Badge>
}
