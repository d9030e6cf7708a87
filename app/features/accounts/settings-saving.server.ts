import type { Database } from '~/server/database/client.server'
import { type FileStore, fileAddress, fileNameOf, newFileName } from '~/server/files.server'
import { reportError } from '~/server/log.server'
import { checkForm, type FieldErrors } from './form-check'
import { convertPhoto } from './photo-conversion.server'
import { settingsForm } from './settings-form-schema'
import { recordSettings } from './settings-queries.server'

export type SettingsResult = {
  saved: boolean
  errors: FieldErrors
  formError?: string
  /** What was typed, when it was not saved: a page without scripts shows it again. */
  typed?: Record<string, string>
}
type Saving = { status: number; result: SettingsResult }
type Parts = { db: Database; files: FileStore }

const unreadableForm = 'The form could not be read. Please try again'

/**
 * What the settings form's action does: check, convert the photo, store, and only then forget the old photo. Nothing is
 * stored unless everything is right.
 */
export async function saveSettings({ db, files }: Parts, uid: string, request: Request): Promise<Saving> {
  const form = await request.formData().catch(() => null)
  if (!form) return { status: 400, result: { saved: false, errors: {}, formError: unreadableForm } }
  const { data, errors } = checkForm(settingsForm, form)
  if (!data) return { status: 422, result: { saved: false, errors, typed: typedIn(form) } }

  const upload = chosenPhoto(form)
  const converted = upload && (await convertPhoto(upload))
  if (converted?.problem) {
    return {
      status: converted.status,
      result: { saved: false, errors: { photo: converted.problem }, typed: typedIn(form) },
    }
  }
  const name = converted?.photo ? newFileName('photos') : null
  if (name && converted?.photo) await files.write(name, converted.photo, 'image/webp')
  try {
    const photo = name ? fileAddress(name) : data.removePhoto ? null : undefined
    const { previousPhoto } = await recordSettings(db, uid, data, photo)
    if (photo !== undefined) await forget(files, fileNameOf(previousPhoto))
  } catch (error) {
    await forget(files, name)
    throw error
  }
  return { status: 200, result: { saved: true, errors: {} } }
}

function typedIn(form: FormData): Record<string, string> {
  const texts = [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
  return Object.fromEntries(texts)
}

/** A form without a chosen file sends an empty one. */
function chosenPhoto(form: FormData): File | null {
  const photo = form.get('photo')
  return photo instanceof File && (photo.size > 0 || photo.name !== '') ? photo : null
}

/** The record no longer names this photo: a file that stays behind harms nobody, so that a failure is only logged. */
async function forget(files: FileStore, name: string | null): Promise<void> {
  if (name) await files.remove(name).catch((error) => reportError(error))
}
