import { sql } from 'drizzle-orm'
import { done, refuse } from '~/server/action-result.server'
import type { Database } from '~/server/database/client.server'
import { type FileStore, fileAddress, fileNameOf, newFileName } from '~/server/files.server'
import { reportError } from '~/server/log.server'
import { productWatch } from '~/server/product-watch.server'
import { readForm } from '~/server/request-body.server'
import { type AttemptCounter, attemptLimits } from '../attempt-limits.server'
import type { FormDone } from '../form/form-result'
import { checkForm } from '../form/form-result'
import { type SettingsFields, settingsForm } from '../form/form-schemas'
import { recordNameChange } from '../public-name-change.server'
import { convertPhoto, type PhotoRefusal } from './photo-conversion.server'
import { photoMessages, settingsSaved } from './settings-messages'
import { UploadSlots } from './upload-slots'

type Parts = { db: Database; files: FileStore; attempts: Pick<AttemptCounter, 'take'> }

/** A form without a photo is smaller. */
const uploadBytes = 64 * 1024
const uploads = new UploadSlots(6)

/** What the settings form's action does. A form with a photo is read only when there is room for it. */
export async function saveSettings(parts: Parts, uid: string, request: Request) {
  const declared = request.headers.get('content-length')
  const large = declared === null || Number(declared) > uploadBytes
  const saved = large
    ? await uploads.use(uid, () => readAndSave(parts, uid, request))
    : await readAndSave(parts, uid, request)
  return saved ?? refusePhoto({ problem: photoMessages.busy, status: 503 })
}

/** Checks, converts the photo, stores, and only then forgets the old photo. Nothing is stored unless all is right. */
async function readAndSave({ db, files, attempts }: Parts, uid: string, request: Request) {
  const form = await readForm(request)
  const { data, errors } = checkForm(settingsForm, form)
  if (!data) return refuse(errors, { status: 422, form })

  const upload = chosenPhoto(form)
  if (upload && !(await attempts.take(attemptLimits.photoByAccount, uid)))
    return refusePhoto({ problem: photoMessages.tooOften, status: 429 }, form)
  const converted = upload && (await convertPhoto(upload))
  if (converted?.problem) return refusePhoto(converted, form)
  const name = converted?.photo ? newFileName('photos') : null
  if (name && converted?.photo && !(await isStored(files, name, converted.photo)))
    return refusePhoto({ problem: photoMessages.noStorage, status: 503 }, form)
  try {
    const photo = name ? fileAddress(name) : data.removePhoto ? null : undefined
    const { previousPhoto } = await recordSettings(db, uid, data, photo)
    if (photo !== undefined) await forget(files, fileNameOf(previousPhoto))
    await productWatch.check()
  } catch (error) {
    await forget(files, name)
    throw error
  }
  return done<FormDone>({ notice: settingsSaved })
}

/** The folder may be full or read-only, or the store away: the learner may save the rest. */
async function isStored(files: FileStore, name: string, photo: Uint8Array): Promise<boolean> {
  const failure = await files.write(name, photo, 'image/webp').then(
    () => null,
    (error: unknown) => ({ error }),
  )
  if (failure) reportError(failure.error)
  return failure === null
}

/** Seconds. */
const retryAfter: Partial<Record<PhotoRefusal['status'], number>> = { 429: 60 * 60, 503: 60 }

function refusePhoto({ problem, status }: PhotoRefusal, form?: FormData) {
  const seconds = retryAfter[status]
  return refuse({ photo: problem }, { status, form, headers: seconds ? { 'Retry-After': String(seconds) } : undefined })
}

/** A form without a chosen file sends an empty one. */
function chosenPhoto(form: FormData): File | null {
  const photo = form.get('photo')
  return photo instanceof File && (photo.size > 0 || photo.name !== '') ? photo : null
}

/** The record no longer names this photo, so a failure to remove its file is only logged. */
async function forget(files: FileStore, name: string | null): Promise<void> {
  if (name) await files.remove(name).catch((error) => reportError(error))
}

type Settings = Omit<SettingsFields, 'removePhoto'>

/**
 * Writes what the settings form holds into the learner's own record; `displayName` follows the names.
 *
 * @param photo address of the new photo; null takes it away, undefined leaves it.
 * @returns the address of the photo that was there before.
 * @throws if there is no account.
 */
function recordSettings(
  db: Database,
  uid: string,
  { firstName, lastName, phone, location, timezone }: Settings,
  photo: string | null | undefined,
): Promise<{ previousPhoto: string | null }> {
  return db.transaction(async (transaction) => {
    const {
      rows: [row],
    } = await transaction.execute<{ previousPhoto: string | null; shownAnew: boolean }>(sql`
    with before as (select id, name, image from users where id = ${uid} for update)
    update users set first_name = ${firstName}, last_name = ${lastName}, name = ${`${firstName} ${lastName}`},
      phone = ${phone}, location = ${location}, timezone = case when ${timezone !== undefined} then ${timezone ?? null} else timezone end,
      image = case when ${photo !== undefined} then ${photo ?? null} else users.image end, updated_at = now()
    from before where users.id = before.id
    returning before.image as "previousPhoto",
      (before.name, before.image) is distinct from (users.name, users.image) as "shownAnew"`)
    if (!row) throw new Error('No learner has this uid.')
    if (row.shownAnew) await recordNameChange(transaction, uid)
    return { previousPhoto: row.previousPhoto }
  })
}
