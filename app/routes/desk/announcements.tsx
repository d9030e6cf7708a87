import { Link } from 'react-router'
import { AnnouncementBadge } from '~/features/desk/announcements/announcement-badge'
import { describeAudience } from '~/features/desk/announcements/announcement-messages'
import {
  type AnnouncementsPageData,
  loadAnnouncementsPage,
} from '~/features/desk/announcements/announcements-page.server'
import { DeskPage } from '~/features/desk/desk-page'
import { DeskTitle, Time } from '~/features/desk/desk-parts'
import { requireDesk, respondUnknownPage } from '~/features/desk/desk-request.server'
import { ButtonLink } from '~/ui/button'
import { type Column, DataTable } from '~/ui/data-table'
import { formatNumber } from '~/ui/format-count'
import { Pager } from '~/ui/pager'
import type { Route } from './+types/announcements'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'announce')
  return loadAnnouncementsPage(desk)
}

export const action = respondUnknownPage

export default function AnnouncementsRoute({ loaderData }: Route.ComponentProps) {
  return (
    <DeskPage>
      <AnnouncementsView {...loaderData} />
    </DeskPage>
  )
}

function AnnouncementsView({ rows, next }: AnnouncementsPageData) {
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

type Row = AnnouncementsPageData['rows'][number]

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
