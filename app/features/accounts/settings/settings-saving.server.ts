import { eq } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import { type FileStore, fileAddress, fileNameOf, newFileName } from '~/server/files/files.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { reportError } from '~/server/operations/log.server'
import { getUser } from '../account-queries.server'
import { type AttemptCounter, attemptLimits } from '../attempt-limits.server'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { type SettingsFields, settingsFormFor } from '../form/form-schemas'
import { convertPhoto, type PhotoRefusal } from './photo-conversion.server'
import { photoMessages, settingsSaved } from './settings-messages'

type Parts = { db: Database; files: FileStore; attempts: Pick<AttemptCounter, 'take'> }

/** A form without a photo is smaller. */
const uploadBytes = 64 * 1024
/**
 * Forms with a photo that are being received, by account. Each takes up to 12 MB of memory. One
 * that got stuck leaves room for a second attempt.
 */
const receiving = new Map<string, number>()
const mostByAccount = 2

/** The action of the settings form. */
export async function saveSettings(parts: Parts, uid: string, request: Request) {
  const form = await receiveForm(uid, request)
  return form ? save(parts, uid, form) : refusePhoto({ problem: photoMessages.busy, status: 503 })
}

/** @returns null while too many photos of this account are being received. */
async function receiveForm(uid: string, request: Request): Promise<FormData | null> {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) <= uploadBytes) {
    return readForm(request)
  }

  const others = receiving.get(uid) ?? 0
  if (others >= mostByAccount) {
    return null
  }

  receiving.set(uid, others + 1)
  try {
    return await readForm(request)
  } finally {
    const left = (receiving.get(uid) ?? 1) - 1
    if (left > 0) {
      receiving.set(uid, left)
    } else {
      receiving.delete(uid)
    }
  }
}

/**
 * Checks, converts the photo, stores, and only then deletes the old photo. Nothing is stored unless
 * all is right.
 */
async function save({ db, files, attempts }: Parts, uid: string, form: FormData) {
  const { data, errors } = checkForm(settingsFormFor(await getUser(db, uid)), form)
  if (!data) {
    return errorResponse(errors, { status: 422, form })
  }

  const upload = chosenPhoto(form)
  if (upload && !(await attempts.take(attemptLimits.photoByAccount, uid))) {
    return refusePhoto({ problem: photoMessages.tooOften, status: 429 }, form)
  }

  const converted = upload && (await convertPhoto(upload))
  if (converted?.problem) {
    return refusePhoto(converted, form)
  }

  const name = converted?.photo ? newFileName('photos') : null
  if (name && converted?.photo && !(await isStored(files, name, converted.photo))) {
    return refusePhoto({ problem: photoMessages.noStorage, status: 503 }, form)
  }

  try {
    const photoWithoutUpload = data.removePhoto ? null : undefined
    const photo = name ? fileAddress(name) : photoWithoutUpload
    const previousPhoto = await recordSettings(db, uid, data, photo)
    if (photo !== undefined) {
      await forget(files, fileNameOf(previousPhoto))
    }
  } catch (error) {
    await forget(files, name)
    throw error
  }

  return successResponse<AccountFormSuccess>({ notice: settingsSaved })
}

/** The folder may be full or read-only, or the file store down: the rest can still be saved. */
async function isStored(files: FileStore, name: string, photo: Uint8Array): Promise<boolean> {
  const failure = await files.write(name, photo, 'image/webp').then(
    () => null,
    (error: unknown) => ({ error }),
  )
  if (failure) {
    reportError(failure.error)
  }

  return failure === null
}

/** Seconds. */
const retryAfter: Partial<Record<PhotoRefusal['status'], number>> = { 429: 60 * 60, 503: 60 }

function refusePhoto({ problem, status }: PhotoRefusal, form?: FormData) {
  const seconds = retryAfter[status]
  return errorResponse(
    { photo: problem },
    { status, form, headers: seconds ? { 'Retry-After': String(seconds) } : undefined },
  )
}

/** A form without a chosen file sends an empty one. */
function chosenPhoto(form: FormData): File | null {
  const photo = form.get('photo')
  return photo instanceof File && (photo.size > 0 || photo.name !== '') ? photo : null
}

/** The record no longer names this photo, so a failure to remove its file is only logged. */
async function forget(files: FileStore, name: string | null): Promise<void> {
  if (name) {
    await files.remove(name).catch((error) => reportError(error))
  }
}

/**
 * Writes the settings form into the learner's own record; `displayName` follows the names.
 *
 * @param image address of the new photo; null removes it, undefined leaves it.
 * @returns the address of the previous photo.
 * @throws if the account no longer exists.
 */
function recordSettings(
  db: Database,
  uid: string,
  { firstName, lastName, phone, location, timezone }: Omit<SettingsFields, 'removePhoto'>,
  image: string | null | undefined,
): Promise<string | null> {
  const name = `${firstName} ${lastName}`.trim()
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select({ image: users.image })
      .from(users)
      .where(eq(users.id, uid))
      .for('update')

    if (!before) {
      throw new Error('No learner has this uid.')
    }

    // A column that is undefined stays as it is.
    const changes = {
      firstName,
      lastName,
      name,
      phone,
      location,
      timezone,
      image,
      updatedAt: new Date(),
    }

    await tx.update(users).set(changes).where(eq(users.id, uid))

    return before.image
  })
}
