/** /Desk/Announcements: the list of announcements, newest first. */
import { Link } from 'react-router'
import { AnnouncementBadge } from '~/features/desk/announcements/announcement-badge'
import { describeAudience } from '~/features/desk/announcements/announcement-messages'
import {
  type AnnouncementsPageData,
  loadAnnouncementsPage,
} from '~/features/desk/announcements/announcement-pages.server'
import { DeskPage } from '~/features/desk/desk-page'
import { DeskTitle, Time } from '~/features/desk/desk-parts'
import { requireDesk, respondUnknownPage } from '~/features/desk/desk-request.server'
import { ButtonLink } from '~/ui/button'
import { type Column, DataTable } from '~/ui/data-table'
import { formatNumber } from '~/ui/format-count'
import { Pager } from '~/ui/pager'
import type { Route } from './+types/announcements'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'send announcements')
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
        getRowKey={({ id }) => id}
      />
      <Pager next={next} />
    </>
  )
}

type AnnouncementRow = AnnouncementsPageData['rows'][number]

const columns: Column<AnnouncementRow>[] = [
  {
    name: 'Subject',
    cell: ({ id, subject, courseTitle, audience, awayDays }) => (
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
  { name: 'State', cell: ({ status }) => <AnnouncementBadge status={status} /> },
  { name: 'Sent', cell: SentCount, isNumber: true },
  {
    name: 'Failed',
    cell: ({ counts }) => formatCount(counts.failed),
    isNumber: true,
    showFrom: 'sm',
  },
  {
    name: 'Not sent',
    cell: (row) => formatCount(countUnsent(row)),
    isNumber: true,
    showFrom: 'md',
  },
  { name: 'By', cell: ({ authorName }) => <bdi>{authorName ?? 'Deleted'}</bdi>, showFrom: 'lg' },
  { name: 'When', cell: ({ sentAt }) => (sentAt ? <Time at={sentAt} /> : '–'), showFrom: 'lg' },
]

function formatCount(count = 0): string {
  return count === 0 ? '–' : formatNumber(count)
}

/** Counts the emails that were never sent, because the announcement was stopped. */
function countUnsent({ status, counts: { due = 0, claimed = 0 } }: AnnouncementRow): number {
  return status === 'stopped' ? due + claimed : 0
}

/** Shows the number of sent emails and, on a phone, the other numbers in the same cell. */
function SentCount(row: AnnouncementRow) {
  const { sent, failed = 0 } = row.counts
  const unsent = countUnsent(row)

  return (
    <>
      {formatCount(sent)}
      {failed > 0 && (
        <span className="block text-bad text-sm sm:hidden">{`${formatNumber(failed)} failed`}</span>
      )}
      {unsent > 0 && (
        <span className="block text-muted text-sm md:hidden">{`${formatNumber(unsent)} not sent`}</span>
      )}
    </>
  )
}
