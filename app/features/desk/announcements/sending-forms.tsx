import { useContext } from 'react'
import { formatTimeZone } from '~/features/school/local-time'
import { Field } from '~/ui/form/field'
import { byCount, formatNumber } from '~/ui/format-count'
import { Notice } from '~/ui/notice'
import { DeskContext } from '../desk-context'
import { ActionForm, CollapsedActionForm } from '../desk-forms'
import type { AnnouncementPageData } from './announcement-pages.server'

/** Shows the forms that send a draft, or the one action that an announcement allows afterwards. */
export function SendingForms(page: AnnouncementPageData) {
  const { announcement, areEmailsRemoved } = page
  if (announcement.status === 'draft') {
    return <DraftForms {...page} />
  }

  // Without the emails, nothing is known about who has received the announcement.
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

/**
 * Shows the forms of a draft. The server refuses to send a draft that was changed after `version`.
 */
function DraftForms({ version, reach, hasMailServer }: AnnouncementPageData) {
  const { timeZone } = useContext(DeskContext)
  const recipientCount = reach?.reached ?? 0
  const recipientsText = byCount(
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
        buttonText={`Send to ${recipientsText}`}
        variant="primary"
        hiddenValues={{ version }}
      >
        <p className="text-muted">It can be stopped, but what was sent can’t be taken back.</p>
      </CollapsedActionForm>
      <CollapsedActionForm
        title="Send later"
        intent="schedule"
        buttonText={`Schedule for ${recipientsText}`}
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

/** Returns the action that the status of an announcement allows, or null. */
function findSendingAction({ status, counts }: AnnouncementPageData['announcement']) {
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

  // The announcement was sent.
  const hasFailedEmails = (counts.failed ?? 0) > 0
  if (!hasFailedEmails) {
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
