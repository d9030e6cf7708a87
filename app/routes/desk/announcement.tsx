/**
 * /Desk/Announcements/:announcement: an announcement, with the forms that edit, test and send it.
 */
import { useContext, useEffect } from 'react'
import { useRevalidator } from 'react-router'
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
import type { AudienceCount } from '~/features/desk/announcements/audience.server'
import { DeskContext } from '~/features/desk/desk-context'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { ActionForm, CollapsedActionForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle, type DetailItem, DetailList, Section, Time } from '~/features/desk/desk-parts'
import { requireDesk, requirePageData } from '~/features/desk/desk-request.server'
import { formatTimeZone } from '~/features/school/local-time'
import { createClientAction } from '~/ui/form/client-action'
import { Field } from '~/ui/form/field'
import { byCount, formatNumber } from '~/ui/format-count'
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
  const { status, subject, trouble } = announcement
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
      {trouble !== null && status === 'sending' && (
        <Notice variant="bad" className="mb-6">
          {`The mail server isn’t accepting mail right now. Learnify keeps trying. ${trouble}`}
        </Notice>
      )}
      {trouble !== null && status === 'draft' && (
        <Notice variant="bad" className="mb-6">
          {trouble}
        </Notice>
      )}
      <DetailList items={listDetails(page)} />
      {reach && <LeftOutLearners reach={reach} canInvite={status === 'draft'} />}
      <SendingActions {...page} />
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

type LeftOutLearnersProps = {
  reach: NonNullable<AnnouncementPageData['reach']>
  canInvite: boolean
}

/** Says why some learners don't receive the email, and offers what staff can do about it. */
function LeftOutLearners({ reach, canInvite }: LeftOutLearnersProps) {
  const obstacles = listObstacles(reach)
  if (obstacles.length === 0) {
    return null
  }

  return (
    <div className="mt-4 grid gap-3 text-sm">
      <div className="text-muted">
        <p>Left out:</p>
        <ul className="list-disc ps-5">
          {obstacles.map((obstacle) => (
            <li key={obstacle}>{obstacle}</li>
          ))}
        </ul>
      </div>
      {canInvite && reach.invited > 0 && (
        <ActionForm
          intent="invite"
          buttonText={byCount(
            reach.invited,
            'Send 1 learner the invitation again',
            `Send ${formatNumber(reach.invited)} learners the invitation again`,
          )}
        />
      )}
    </div>
  )
}

const reloadEveryMs = 3_000

/** Reloads the page's data every few seconds while emails are being sent. */
function useReloadWhile(isBeingSent: boolean): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!isBeingSent) {
      return
    }

    function reloadIfVisible() {
      if (document.visibilityState === 'visible') {
        revalidate()
      }
    }

    const timer = setInterval(reloadIfVisible, reloadEveryMs)
    return () => clearInterval(timer)
  }, [isBeingSent, revalidate])
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

/** Shows the forms that send a draft, or the one button of a later announcement. */
function SendingActions(page: AnnouncementPageData) {
  const { announcement, areEmailsRemoved } = page
  if (announcement.status === 'draft') {
    return <DraftActions {...page} />
  }

  const sendingAction = areEmailsRemoved ? null : findSendingAction(announcement)
  if (sendingAction === null) {
    return null
  }

  return (
    <div className="mt-6 grid gap-3">
      <p className="text-muted">{sendingAction.explanation}</p>
      <ActionForm
        intent={sendingAction.intent}
        buttonText={sendingAction.buttonText}
        variant={sendingAction.variant}
      />
    </div>
  )
}

function DraftActions({ version, reach, hasMailServer }: AnnouncementPageData) {
  const { timeZone } = useContext(DeskContext)
  const recipientCount = reach?.reached ?? 0
  const recipients = byCount(
    recipientCount,
    '1 learner',
    `${formatNumber(recipientCount)} learners`,
  )

  return (
    <div className="mt-6 grid items-start gap-3 lg:grid-cols-2">
      {!hasMailServer && (
        <Notice variant="bad" className="lg:col-span-2">
          There’s no mail server yet, so nothing can be sent: set SMTP_URL.
        </Notice>
      )}
      <CollapsedActionForm title="Send me a test" intent="test" buttonText="Send the test">
        <p className="text-muted">The saved draft goes to your own address only.</p>
      </CollapsedActionForm>
      <CollapsedActionForm
        title="Send now"
        intent="send"
        buttonText={`Send to ${recipients}`}
        variant="primary"
        hiddenValues={{ version }}
      >
        <p className="text-muted">It can be stopped, but what was sent can’t be taken back.</p>
      </CollapsedActionForm>
      <CollapsedActionForm
        title="Send later"
        intent="schedule"
        buttonText={`Schedule for ${recipients}`}
        hiddenValues={{ version }}
      >
        <Field
          label={`Day and time in ${formatTimeZone(timeZone)}`}
          name="at"
          type="datetime-local"
          required
          hint="In your own time zone, from your settings. Learners who match at that time get it."
        />
      </CollapsedActionForm>
      <CollapsedActionForm
        title="Delete the draft"
        intent="delete"
        buttonText="Delete"
        variant="danger"
      />
    </div>
  )
}

/** Returns the action that an announcement offers after it has been scheduled, or null. */
function findSendingAction({ status, counts }: Announcement) {
  if (status === 'scheduled') {
    return {
      intent: 'cancel',
      buttonText: 'Cancel',
      variant: 'danger',
      explanation: 'It becomes a draft again.',
    } as const
  }

  if (status === 'sending') {
    return {
      intent: 'stop',
      buttonText: 'Stop',
      variant: 'danger',
      explanation: 'What was sent can’t be taken back.',
    } as const
  }

  if (status === 'stopped') {
    return {
      intent: 'continue',
      buttonText: 'Send the rest',
      variant: 'secondary',
      explanation: 'Nobody gets it twice.',
    } as const
  }

  if ((counts.failed ?? 0) === 0) {
    return null
  }

  return {
    intent: 'resend',
    buttonText: 'Send failed ones again',
    variant: 'secondary',
    explanation:
      'The mail server refused these. Uncertain ones are not sent again, because they may have arrived.',
  } as const
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

/** Says how many learners receive the email. */
function describeReach({ learners, reached }: Pick<AudienceCount, 'learners' | 'reached'>): string {
  const all = byCount(learners, '1 learner', `${formatNumber(learners)} learners`)
  return learners === reached ? all : `${formatNumber(reached)} of ${all}`
}

/** Lists the reasons why learners don't receive the email, with the number of learners for each. */
function listObstacles(count: AudienceCount): string[] {
  const { unconfirmed, optedOut, bounced, disabled } = count
  const obstacles = [
    [unconfirmed, 'hasn’t confirmed their email address', 'haven’t confirmed their email address'],
    [optedOut, 'has turned announcements off', 'have turned announcements off'],
    [bounced, 'has an address that accepts no email', 'have an address that accepts no email'],
    [disabled, 'has a disabled account', 'have a disabled account'],
  ] as const

  return obstacles
    .filter(([learners]) => learners > 0)
    .map(([learners, one, many]) =>
      byCount(learners, `1 learner ${one}`, `${formatNumber(learners)} learners ${many}`),
    )
}
