import { Link } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { type Column, DataTable } from '~/ui/data-table'
import { formatNumber } from '~/ui/format-count'
import { Pager } from '~/ui/pager'
import type { DataOf } from '../desk-pages.server'
import { Badge, DeskTitle, Time } from '../desk-parts'
import { describeAudience, stateTexts } from './announcement-messages'

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
      <DataTable
        caption="Announcements, the newest first"
        empty="No announcement has been written yet."
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
      />
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
        <span className="block text-muted text-sm">
          {describeAudience(courseTitle, audience, awayDays)}
        </span>
      </>
    ),
  },
  { name: 'State', of: ({ state }) => <AnnouncementBadge state={state} /> },
  { name: 'Sent', of: SentCount, isNumber: true },
  { name: 'Failed', of: ({ counts }) => countText(counts.failed), isNumber: true, from: 'sm' },
  { name: 'Not sent', of: (row) => countText(stoppedCount(row)), isNumber: true, from: 'md' },
  { name: 'By', of: ({ authorName }) => <bdi>{authorName ?? 'Deleted'}</bdi>, from: 'lg' },
  { name: 'When', of: ({ sentAt }) => (sentAt ? <Time at={sentAt} /> : '–'), from: 'lg' },
]

const countText = (count = 0) => (count === 0 ? '–' : formatNumber(count))

/** Mails that never went out, because the announcement was stopped. */
function stoppedCount({ state, counts: { due = 0, claimed = 0 } }: Row): number {
  return state === 'stopped' ? due + claimed : 0
}

/** On a phone, the other counts are in the same cell. */
function SentCount(row: Row) {
  const { sent, failed = 0 } = row.counts
  const stopped = stoppedCount(row)

  return (
    <>
      {countText(sent)}
      {failed > 0 && (
        <span className="block text-bad text-sm sm:hidden">{`${formatNumber(failed)} failed`}</span>
      )}
      {stopped > 0 && (
        <span className="block text-muted text-sm md:hidden">{`${formatNumber(stopped)} not sent`}</span>
      )}
    </>
  )
}

export function AnnouncementBadge({ state }: Pick<Row, 'state'>) {
  const looks = {
    draft: 'plain',
    scheduled: 'warn',
    sending: 'warn',
    stopped: 'bad',
    done: 'good',
  } as const

  return <Badge look={looks[state]}>{stateTexts[state]}</Badge>
}
