import type { Database } from '~/server/database/client.server'
import { successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { recordAnnouncementChoice } from './announcement-mail.server'

/** Handles the form in the settings that turns announcements on or off. */
export async function saveAnnouncementChoice(db: Database, uid: string, request: Request) {
  const form = await readForm(request)
  await recordAnnouncementChoice(db, uid, form.get('announcements') === 'on')
  return successResponse()
}
