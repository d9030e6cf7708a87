import { Link } from 'react-router'
import { type Column, DataTable } from '~/ui/data-table'
import { Pager } from '~/ui/pager'
import { Badge, Section, Time } from '../desk-parts'
import { emailStatusTexts } from './announcement-messages'
import type { AnnouncementPageData } from './announcement-pages.server'

type AnnouncementProblemsProps = Pick<
  AnnouncementPageData,
  'announcement' | 'problems' | 'next' | 'canSeePeople'
>

/** Lists emails that the mail server refused, and emails that were interrupted while being sent. */
export function AnnouncementProblems({
  announcement,
  problems,
  next,
  canSeePeople,
}: AnnouncementProblemsProps) {
  if (problems.length === 0) {
    return null
  }

  // Staff who see no people open the learner's progress in the course instead.
  const learnersPath = canSeePeople
    ? '/Desk/People'
    : `/Desk/Courses/${announcement.courseId}/Learners`

  return (
    <Section title="Failed and uncertain">
      <p className="mb-4 text-muted">
        The mail server refused the failed emails. The uncertain ones were being sent when the
        connection broke or Learnify stopped, so they may have arrived.
      </p>
      <DataTable
        caption="Mails that failed or are uncertain, the latest first"
        columns={createProblemColumns(learnersPath)}
        rows={problems}
        getRowKey={({ id }) => id}
      />
      <Pager next={next} />
    </Section>
  )
}

type Problem = AnnouncementPageData['problems'][number]

function createProblemColumns(learnersPath: string): Column<Problem>[] {
  return [
    {
      name: 'Learner',
      cell: ({ id, name, email }) => (
        <>
          <Link to={`${learnersPath}/${id}`} className="link">
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
      cell: ({ status }) => (
        <Badge variant={status === 'failed' ? 'bad' : 'warn'}>{emailStatusTexts[status]}</Badge>
      ),
    },
    { name: 'Mail server’s reply', cell: ({ reason }) => reason ?? '–', showFrom: 'md' },
    { name: 'When', cell: ({ cursorAt }) => <Time at={cursorAt} />, showFrom: 'lg' },
  ]
}
