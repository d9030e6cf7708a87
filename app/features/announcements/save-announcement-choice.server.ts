import type { Database } from '~/server/database/client.server'
import { done } from '~/server/http/action-result.server'
import { readForm } from '~/server/http/request-body.server'
import { recordAnnouncementChoice } from './announcement-mail.server'

/** Stores whether a learner wants announcements, by the form of the settings. */
export async function saveAnnouncementChoice(db: Database, uid: string, request: Request) {
  const form = await readForm(request)
  await recordAnnouncementChoice(db, uid, form.get('announcements') === 'on')
  return done()
}
