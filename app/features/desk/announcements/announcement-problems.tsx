import { Link } from 'react-router'
import type { AnnouncementPageData } from '~/features/desk/announcements/announcement-page.server'
import { type Column, DataTable } from '~/ui/data-table'
import { Pager } from '~/ui/pager'
import { Badge, Section, Time } from '../desk-parts'
import { mailStateTexts } from './announcement-messages'

type Page = AnnouncementPageData
type Row = Page['problems'][number]

/** Lists mails that the server refused, and mails that were interrupted while they were sent. */
export function AnnouncementProblems({ problems, next, seesPeople, announcement }: Page) {
  if (problems.length === 0) {
    return null
  }

  const addressOf = (uid: string) =>
    seesPeople ? `/Desk/People/${uid}` : `/Desk/Courses/${announcement.courseId}/Learners/${uid}`

  return (
    <Section title="Failed and uncertain">
      <p className="mb-4 text-muted">
        The mail server refused the failed emails. The uncertain ones were being sent when the
        connection broke or Learnify stopped, so they may have arrived.
      </p>
      <DataTable
        caption="Mails that failed or are uncertain, the latest first"
        columns={columnsOf(addressOf)}
        rows={problems}
        keyOf={({ id }) => id}
      />
      <Pager next={next} />
    </Section>
  )
}

const columnsOf = (addressOf: (uid: string) => string): Column<Row>[] => [
  {
    name: 'Learner',
    of: ({ id, name, email }) => (
      <>
        <Link to={addressOf(id)} className="link">
          <bdi>{name}</bdi>
        </Link>
        {email && (
          <span className="block text-muted text-sm [overflow-wrap:anywhere]">{email}</span>
        )}
      </>
    ),
  },
  {
    name: 'State',
    of: ({ state }) => (
      <Badge variant={state === 'failed' ? 'bad' : 'warn'}>{mailStateTexts[state]}</Badge>
    ),
  },
  { name: 'Mail server’s reply', of: ({ reason }) => reason ?? '–', from: 'md' },
  { name: 'When', of: ({ cursorAt }) => <Time at={cursorAt} />, from: 'lg' },
]
