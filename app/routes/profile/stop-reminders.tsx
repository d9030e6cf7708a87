import * as announcementMail from '~/features/desk/announcements/announcement-mail.server'
import { stopTexts as announcementTexts } from '~/features/desk/announcements/announcement-messages'
import * as reminderMail from '~/features/profile/study-plan/reminder-mail.server'
import { StopMailsPage } from '~/features/profile/study-plan/stop-mails-page'
import { stopTexts as reminderTexts } from '~/features/profile/study-plan/study-plan-messages'
import { stopReminders } from '~/features/profile/study-plan/study-plan-queries.server'
import { goalSettings } from '~/features/profile/study-plan/weekly-goal-card'
import { db } from '~/server/database/client.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { createClientAction } from '~/ui/form/client-action'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/stop-reminders'

/** The address holds the link's signature. 'no-referrer' would also remove the form's Origin. */
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
  const { isAbout, learner } = await readAddress(url)
  return { isAbout, usable: learner !== null }
}

/**
 * Reads from the address which mails to stop, and for which learner.
 *
 * @returns null if the signature is wrong.
 */
async function readAddress({ searchParams }: URL) {
  return searchParams.get('mails') === 'announcements'
    ? {
        isAbout: 'announcements' as const,
        learner: await announcementMail.verifyStopUrl(searchParams),
      }
    : {
        isAbout: 'reminders' as const,
        learner: await reminderMail.learnerOfStopAddress(searchParams),
      }
}

/**
 * Authorized by the signature in the address alone, because it also works without signing in, and
 * mail programs send their own form (RFC 8058), which expects no redirect. Idempotent.
 */
export async function action({ url }: Route.ActionArgs) {
  const { isAbout, learner } = await readAddress(url)
  if (!learner) {
    return errorResponse(textsOf[isAbout].unreadable.text, { status: 403 })
  }

  if (isAbout === 'reminders') {
    await stopReminders(db, learner)
  } else {
    await announcementMail.recordAnnouncementChoice(db, learner, false)
  }

  return successResponse()
}

export const clientAction = createClientAction<typeof action>()

const textsOf = { reminders: reminderTexts, announcements: announcementTexts }
const settingsOf = { reminders: goalSettings, announcements: '/Profile/settings#email' }

export default function StopMailsRoute({
  loaderData: { isAbout, usable },
  actionData,
}: Route.ComponentProps) {
  return (
    <StopMailsPage
      texts={textsOf[isAbout]}
      settings={settingsOf[isAbout]}
      usable={usable}
      result={actionData}
    />
  )
}
