import { Link } from 'react-router'
import { describeAudience, stateTexts } from '~/features/announcements/announcement-messages'
import { ButtonLink } from '~/ui/button'
import { type Column, DataTable } from '~/ui/data-table'
import { Pager } from '~/ui/pager'
import type { DataOf } from '../desk-pages.server'
import { Badge, DeskTitle, Nothing, Time } from '../desk-parts'

type Announcements = DataOf<'announcements'>
type Row = Announcements['rows'][number]

export function AnnouncementsView({ rows, next }: Announcements) {
  return (
    <>
      <DeskTitle
        intro="Emails to the learners of a course, or of the whole school. Each learner can turn them off."
        side={<ButtonLink to="/Desk/Announcements/New">New announcement</ButtonLink>}
      >
        Announcements
      </DeskTitle>
      {rows.length === 0 ? (
        <Nothing>No announcement has been written yet.</Nothing>
      ) : (
        <DataTable caption="Announcements, the newest first" columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      <Pager next={next} />
    </>
  )
}

const columns: Column<Row>[] = [
  {
    name: 'Subject',
    of: ({ id, subject, courseTitle, audience, awayDays }) => (
      <>
        <Link to={`/Desk/Announcements/${id}`} className="link [overflow-wrap:anywhere]">
          {subject}
        </Link>
        <span className="block text-muted text-sm">{describeAudience(courseTitle, audience, awayDays)}</span>
      </>
    ),
  },
  { name: 'State', of: ({ state }) => <AnnouncementBadge state={state} /> },
  { name: 'By', of: ({ authorName }) => <bdi>{authorName ?? 'Deleted'}</bdi>, from: 'md' },
  { name: 'Sent', of: ({ sentAt }) => (sentAt ? <Time at={sentAt} /> : '–'), from: 'lg' },
]

export function AnnouncementBadge({ state }: Pick<Row, 'state'>) {
  const looks = { draft: 'plain', scheduled: 'warn', sending: 'warn', stopped: 'bad', done: 'good' } as const
  return <Badge look={looks[state]}>{stateTexts[state]}</Badge>
}
