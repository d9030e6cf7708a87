import type { Database } from '~/server/database/client.server'
import { type FileStore, fileAddress, fileNameOf, newFileName } from '~/server/files.server'
import { reportError } from '~/server/log.server'
import { readForm } from '~/server/request-body.server'
import { type AttemptCounter, attemptLimits } from '../attempt-limits.server'
import { typedIn } from '../form/answer-form.server'
import { checkForm } from '../form/form-check'
import type { FormResult } from '../form/form-result'
import { convertPhoto, type PhotoRefusal } from './photo-conversion.server'
import { settingsForm } from './settings-form-schema'
import { photoMessages, settingsSaved } from './settings-messages'
import { recordSettings } from './settings-queries.server'

type Saving = { status: number; result: FormResult; headers?: { 'Retry-After': string } }
type Parts = { db: Database; files: FileStore; attempts: Pick<AttemptCounter, 'take'> }

/** A form without a photo is smaller. */
const uploadBytes = 64 * 1024
/**
 * Forms with a photo that are being received, by account. Each takes up to 12 MB of memory. One that got stuck leaves room for
 * a second attempt.
 */
const receiving = new Map<string, number>()
const mostByAccount = 2

/** What the settings form's action does. */
export async function saveSettings(parts: Parts, uid: string, request: Request): Promise<Saving> {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) <= uploadBytes) return save(parts, uid, await readForm(request))

  const others = receiving.get(uid) ?? 0
  if (others >= mostByAccount) return refusePhoto({ problem: photoMessages.busy, status: 503 })
  receiving.set(uid, others + 1)
  let form: FormData
  try {
    form = await readForm(request)
  } finally {
    const left = (receiving.get(uid) ?? 1) - 1
    if (left > 0) receiving.set(uid, left)
    else receiving.delete(uid)
  }
  return save(parts, uid, form)
}

/** Checks, converts the photo, stores, and only then deletes the old photo. Nothing is stored unless all is right. */
async function save({ db, files, attempts }: Parts, uid: string, form: FormData): Promise<Saving> {
  const { data, errors } = checkForm(settingsForm, form)
  if (!data) return { status: 422, result: { done: false, errors, typed: typedIn(form) } }

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
  } catch (error) {
    await forget(files, name)
    throw error
  }
  return { status: 200, result: { done: true, notice: settingsSaved } }
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

function refusePhoto({ problem, status }: PhotoRefusal, form?: FormData): Saving {
  const seconds = retryAfter[status]
  return {
    status,
    result: { done: false, errors: { photo: problem }, typed: form && typedIn(form) },
    ...(seconds && { headers: { 'Retry-After': String(seconds) } }),
  }
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
