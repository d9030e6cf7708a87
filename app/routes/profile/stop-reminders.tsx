/**
 * /StopReminders: the page behind the link in reminders and announcements that stops these emails.
 *
 * The signature in the URL identifies the learner, so that the page works without signing in. Email
 * programs send the form on their own (RFC 8058) and expect no redirect.
 */
import { useRef } from 'react'
import { Form, useNavigation } from 'react-router'
import { stopTexts as announcementTexts } from '~/features/desk/announcements/announcement-messages'
import {
  recordAnnouncementChoice,
  verifyAnnouncementStopLink,
} from '~/features/desk/announcements/announcement-opt-out.server'
import { verifyReminderStopLink } from '~/features/profile/study-plan/reminder-mail.server'
import { stopTexts as reminderTexts } from '~/features/profile/study-plan/study-plan-messages'
import { stopReminders } from '~/features/profile/study-plan/study-plan-queries.server'
import { goalSettingsUrl } from '~/features/profile/study-plan/weekly-goal-card'
import { db } from '~/server/database/client.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { Button, ButtonLink } from '~/ui/button'
import { createClientAction } from '~/ui/form/client-action'
import { getFieldErrors } from '~/ui/form/form-result'
import { useFocusOnChange } from '~/ui/hooks'
import { Notice } from '~/ui/notice'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/stop-reminders'

const emailKinds = {
  reminders: { texts: reminderTexts, settingsUrl: goalSettingsUrl },
  announcements: { texts: announcementTexts, settingsUrl: '/Profile/settings#email' },
} as const

/**
 * The URL contains a signature, so the page must not be cached, and its full URL must not be sent
 * as a referrer. 'no-referrer' would also remove the Origin header, which the form needs.
 */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: 'Stop emails',
    description: 'Turn off emails from this site.',
    path: null,
    matches,
  })
}

export async function loader({ url }: Route.LoaderArgs) {
  const { kind, uid } = await readStopLink(url)
  return { kind, isLinkValid: uid !== null }
}

/**
 * Stops the emails. An email program may send the form twice, so a second request changes nothing.
 */
export async function action({ url }: Route.ActionArgs) {
  const { kind, uid } = await readStopLink(url)
  if (uid === null) {
    return errorResponse(emailKinds[kind].texts.invalidLink.text, { status: 403 })
  }

  if (kind === 'reminders') {
    await stopReminders(db, uid)
  } else {
    const wantsAnnouncements = false
    await recordAnnouncementChoice(db, uid, wantsAnnouncements)
  }

  return successResponse()
}

export const clientAction = createClientAction<typeof action>()

/**
 * Reads which emails a link stops, and for which learner. `uid` is null if the signature is
 * invalid.
 */
async function readStopLink({ searchParams }: URL) {
  if (searchParams.get('mails') === 'announcements') {
    return { kind: 'announcements' as const, uid: await verifyAnnouncementStopLink(searchParams) }
  }

  return { kind: 'reminders' as const, uid: await verifyReminderStopLink(searchParams) }
}

export default function StopEmailsRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, isLinkValid } = loaderData
  const { texts, settingsUrl } = emailKinds[kind]
  const isSubmitting = useNavigation().formMethod !== undefined
  const formError = getFieldErrors(actionData).form
  const isStopped = actionData?.done === true

  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnChange(isStopped, heading)

  const step = isStopped ? 'stopped' : 'question'
  const { title, text } = isLinkValid ? texts[step] : texts.invalidLink

  return (
    <div className="column grid max-w-xl gap-5 py-16 text-center sm:py-24">
      <h1 ref={heading} tabIndex={-1} className="title outline-none">
        {title}
      </h1>
      <p className="text-muted">{text}</p>
      {isLinkValid && !isStopped ? (
        <>
          {formError && <Notice variant="bad">{formError}</Notice>}
          <Form method="post">
            <Button type="submit" disabled={isSubmitting}>
              {isSubmitting ? 'Stopping...' : texts.button}
            </Button>
          </Form>
        </>
      ) : (
        <p>
          <ButtonLink to={settingsUrl} variant="secondary">
            Go to settings
          </ButtonLink>
        </p>
      )}
    </div>
  )
}
