/**
 * /Desk/Announcements/:announcement: an announcement, with the forms that edit, test and send it.
 */
import { announcementActions } from '~/features/desk/announcements/announcement-actions.server'
import { AnnouncementBadge } from '~/features/desk/announcements/announcement-badge'
import { AnnouncementFields } from '~/features/desk/announcements/announcement-fields'
import {
  describeAudience,
  getUnsubscribeText,
} from '~/features/desk/announcements/announcement-messages'
import {
  type AnnouncementPageData,
  loadAnnouncementPage,
} from '~/features/desk/announcements/announcement-pages.server'
import { AnnouncementProblems } from '~/features/desk/announcements/announcement-problems'
import { describeReach, LeftOutLearners } from '~/features/desk/announcements/audience-reach'
import { SendingForms } from '~/features/desk/announcements/sending-forms'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { ActionForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle, type DetailItem, DetailList, Section, Time } from '~/features/desk/desk-parts'
import { requireDesk, requirePageData } from '~/features/desk/desk-request.server'
import { useReloadWhile } from '~/features/desk/use-reload-while'
import { createClientAction } from '~/ui/form/client-action'
import { formatNumber } from '~/ui/format-count'
import { Notice } from '~/ui/notice'
import { ProseText } from '~/ui/prose-text'
import type { Route } from './+types/announcement'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'send announcements')
  return requirePageData(await loadAnnouncementPage(desk))
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'send announcements')
  return handleDeskForm(args.request, desk, announcementActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function AnnouncementRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <AnnouncementView {...loaderData} />
    </DeskPage>
  )
}

function AnnouncementView(page: AnnouncementPageData) {
  const { announcement, reach } = page
  const { status, subject, sendingProblem } = announcement
  const isBeingSent = status === 'sending' || (status === 'scheduled' && page.isDue)
  useReloadWhile(isBeingSent)

  return (
    <>
      <DeskTitle
        parentPage={{ to: '/Desk/Announcements', label: 'Announcements' }}
        intro={<AnnouncementBadge status={status} />}
      >
        {subject}
      </DeskTitle>
      {sendingProblem !== null && status === 'sending' && (
        <Notice variant="bad" className="mb-6">
          {`The mail server isn’t accepting mail right now. Learnify keeps trying. ${sendingProblem}`}
        </Notice>
      )}
      {sendingProblem !== null && status === 'draft' && (
        <Notice variant="bad" className="mb-6">
          {sendingProblem}
        </Notice>
      )}
      <DetailList items={listDetails(page)} />
      {reach && <LeftOutLearners reach={reach} canInvite={status === 'draft'} />}
      <SendingForms {...page} />
      <AnnouncementProblems {...page} />
      <div className={status === 'draft' ? 'grid gap-x-6 xl:grid-cols-2' : ''}>
        {status === 'draft' && (
          <Section title="Edit">
            <div className="card p-5">
              <ActionForm
                intent="save"
                buttonText="Save and preview"
                hiddenValues={{ version: page.version }}
              >
                <AnnouncementFields
                  draft={announcement}
                  courses={page.courses}
                  canWriteToSchool={page.canWriteToSchool}
                />
              </ActionForm>
            </div>
          </Section>
        )}
        <Section title="The email">
          <EmailPreview {...page} />
        </Section>
      </div>
    </>
  )
}

type Announcement = AnnouncementPageData['announcement']

function listDetails({ announcement, reach }: AnnouncementPageData): DetailItem[] {
  const { courseTitle, audience, awayDays, authorName } = announcement
  const recipients: DetailItem = ['To', describeAudience(courseTitle, audience, awayDays)]
  const author: DetailItem = ['By', <bdi key="author">{authorName ?? 'Deleted'}</bdi>]

  // Once it is sent, the numbers of emails replace the number of learners whom it would reach.
  if (reach === null) {
    return [recipients, author, ...listTimes(announcement), ...listEmailCounts(announcement)]
  }

  return [recipients, ['Reaches', describeReach(reach)], author, ...listTimes(announcement)]
}

/** Lists the times of an announcement. Times that have not come are left out. */
function listTimes({ status, dueAt, startedAt, endedAt }: Announcement): DetailItem[] {
  const times = [
    { name: 'To be sent', at: status === 'scheduled' ? dueAt : null },
    { name: 'Begun', at: startedAt },
    { name: status === 'stopped' ? 'Stopped' : 'Finished', at: endedAt },
  ]

  return times.flatMap(({ name, at }): DetailItem[] =>
    at === null ? [] : [[name, <Time key={name} at={at} />]],
  )
}

/** Lists the numbers of emails by status. Only the number of sent emails is shown if it is 0. */
function listEmailCounts({ status, counts }: Announcement): DetailItem[] {
  const { due = 0, claimed = 0, sent = 0, failed = 0, uncertain = 0, skipped = 0 } = counts
  const emailCounts = [
    { name: 'Sent', count: sent },
    {
      name: status === 'stopped' ? 'Not sent, because it was stopped' : 'Waiting',
      count: due + claimed,
    },
    { name: 'Failed', count: failed },
    { name: 'Uncertain', count: uncertain },
    { name: 'Left out since then', count: skipped },
  ]

  return emailCounts
    .filter(({ name, count }) => count > 0 || name === 'Sent')
    .map(({ name, count }): DetailItem => [name, formatNumber(count)])
}

/** Shows the email without its inline styles, which the page's content security policy forbids. */
function EmailPreview({ announcement, preview }: AnnouncementPageData) {
  const { sentence, label } = getUnsubscribeText(announcement.courseTitle)
  return (
    <article className="card overflow-hidden">
      <header className="border-line border-b bg-sunken px-5 py-3 text-sm">
        <p className="text-muted [overflow-wrap:anywhere]">{`From ${preview.from}`}</p>
        <p className="font-medium [overflow-wrap:anywhere]">{announcement.subject}</p>
      </header>
      <div className="max-w-[38rem] p-5 [overflow-wrap:anywhere]">
        <ProseText html={preview.html} />
        <p className="mt-6 text-muted text-sm">
          {sentence} <span className="underline">{label}</span>
        </p>
      </div>
    </article>
  )
}
