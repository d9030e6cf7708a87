/**
 * Saves the settings form, which may contain a profile photo.
 *
 * Everything is checked before anything is stored. The new photo is stored first, then the record is
 * written, and only then the previous photo is removed: a failure in between never leaves a record
 * without its photo.
 */
import { eq } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import { type PictureProblem, readUploadedPicture } from '~/server/drawing/uploaded-picture.server'
import {
  createFileName,
  type FileStore,
  getFileUrl,
  parseFileUrl,
} from '~/server/files/files.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { reportError } from '~/server/operations/log.server'
import { findUser, getUser } from '../account-queries.server'
import { photoRules } from '../account-rules'
import type { AttemptCounter } from '../attempt-counter.server'
import { attemptLimits } from '../attempt-limits.server'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { getSettingsForm, type SettingsFields } from '../form/form-schemas'
import { settingsMessages } from './settings-messages'

type Services = { db: Database; files: FileStore; attempts: Pick<AttemptCounter, 'consume'> }

/** Runs the route action of the settings form. */
export async function saveSettings(services: Services, uid: string, request: Request) {
  const form = await receiveForm(uid, request)
  if (!form) {
    return photoErrorResponse({ problem: settingsMessages.photoMessages.busy, status: 503 })
  }

  return saveForm(services, uid, form)
}

/** A form without a photo is smaller than this. */
const maxBytesWithoutPhoto = 64 * 1024

/**
 * Counts the forms with a photo that each account is sending, because each takes up to 12 MB of
 * memory. If one of them got stuck, there is room for a second attempt.
 */
const uploadsByAccount = new Map<string, number>()
const maxUploadsPerAccount = 2

/** Returns null while too many photos of this account are being received. */
async function receiveForm(uid: string, request: Request): Promise<FormData | null> {
  const contentLength = request.headers.get('content-length')
  if (contentLength !== null && Number(contentLength) <= maxBytesWithoutPhoto) {
    return readForm(request)
  }

  const currentUploads = uploadsByAccount.get(uid) ?? 0
  if (currentUploads >= maxUploadsPerAccount) {
    return null
  }

  uploadsByAccount.set(uid, currentUploads + 1)
  try {
    return await readForm(request)
  } finally {
    const remainingUploads = (uploadsByAccount.get(uid) ?? 1) - 1
    if (remainingUploads > 0) {
      uploadsByAccount.set(uid, remainingUploads)
    } else {
      uploadsByAccount.delete(uid)
    }
  }
}

async function saveForm(services: Services, uid: string, form: FormData) {
  const { db, files } = services
  const learner = await getUser(db, uid)
  const { data, errors } = checkForm(getSettingsForm(learner), form)
  if (!data) {
    return errorResponse(errors, { status: 422, form })
  }

  const storedPhoto = await storeChosenPhoto(services, uid, form)
  if (storedPhoto.problem !== undefined) {
    return photoErrorResponse(storedPhoto, form)
  }

  const newPhotoName = storedPhoto.name
  const image = getImageChange(newPhotoName, data.removePhoto)
  let previousImage: string | null
  try {
    previousImage = await recordSettings(db, uid, data, image)
  } catch (error) {
    if (newPhotoName) {
      await removeUnusedPhoto({ db, files }, uid, newPhotoName)
    }

    throw error
  }

  const previousPhotoName = parseFileUrl(previousImage)
  if (image !== undefined && previousPhotoName) {
    await removePhoto(files, previousPhotoName)
  }

  return successResponse<AccountFormSuccess>({ notice: settingsMessages.settingsSaved })
}

type PhotoProblem = {
  /** The message beside the field. */
  problem: string
  status: 413 | 415 | 429 | 503
}

/** The name of the stored file, which is null if the form has no photo; or why it was not stored. */
type StoredPhoto = { name: string | null; problem?: undefined } | PhotoProblem

async function storeChosenPhoto(
  { files, attempts }: Services,
  uid: string,
  form: FormData,
): Promise<StoredPhoto> {
  const upload = getChosenPhoto(form)
  if (!upload) {
    return { name: null }
  }

  const isWithinLimit = await attempts.consume(attemptLimits.photoByAccount, uid)
  if (!isWithinLimit) {
    return { problem: settingsMessages.photoMessages.tooOften, status: 429 }
  }

  const conversion = await convertPhoto(upload)
  if (conversion.problem !== undefined) {
    return conversion
  }

  const name = createFileName('photos')
  const isStored = await storePhoto(files, name, conversion.photo)
  if (!isStored) {
    return { problem: settingsMessages.photoMessages.noStorage, status: 503 }
  }

  return { name }
}

/** Returns null if no photo was chosen. Browsers send an empty file then. */
function getChosenPhoto(form: FormData): File | null {
  const photo = form.get('photo')
  if (!(photo instanceof File)) {
    return null
  }

  const isEmpty = photo.size === 0 && photo.name === ''

  return isEmpty ? null : photo
}

type PhotoConversion = { photo: Buffer; problem?: undefined } | PhotoProblem

const problemStatuses = {
  tooLarge: 413,
  tooManyPixels: 413,
  wrongKind: 415,
  moving: 415,
  unreadable: 415,
  busy: 503,
} as const satisfies Record<PictureProblem, PhotoProblem['status']>

/** Crops the upload to a square WebP. */
async function convertPhoto(upload: File): Promise<PhotoConversion> {
  const { storedPixels } = photoRules
  const { picture, problem } = await readUploadedPicture(upload, photoRules, (original) =>
    original
      .resize(storedPixels, storedPixels, { fit: 'cover', position: 'attention' })
      .webp({ quality: 84 })
      .toBuffer(),
  )
  if (problem !== undefined) {
    return { problem: settingsMessages.photoMessages[problem], status: problemStatuses[problem] }
  }

  return { photo: picture }
}

const retryAfterSeconds: Partial<Record<PhotoProblem['status'], number>> = { 429: 60 * 60, 503: 60 }

function photoErrorResponse({ problem, status }: PhotoProblem, form?: FormData) {
  const seconds = retryAfterSeconds[status]
  const headers = seconds ? { 'Retry-After': String(seconds) } : undefined

  return errorResponse({ photo: problem }, { status, form, headers })
}

/**
 * Returns false if the file store is full, read-only or unreachable. The learner is told, and can
 * still save the other fields.
 */
async function storePhoto(files: FileStore, name: string, photo: Uint8Array): Promise<boolean> {
  try {
    await files.write(name, photo, 'image/webp')
    return true
  } catch (error) {
    reportError(error)
    return false
  }
}

/**
 * Removes the new photo after the record could not be written. If the connection to the database is
 * lost during the commit, the record may use the photo nevertheless. The file stays if the record uses
 * it, or if that cannot be found out.
 */
async function removeUnusedPhoto(
  { db, files }: Pick<Services, 'db' | 'files'>,
  uid: string,
  photoName: string,
): Promise<void> {
  try {
    const learner = await findUser(db, uid)
    if (learner?.image !== getFileUrl(photoName)) {
      await removePhoto(files, photoName)
    }
  } catch (error) {
    reportError(error)
  }
}

/** If the file can't be removed, the error is only logged, because no record uses the file. */
async function removePhoto(files: FileStore, name: string): Promise<void> {
  try {
    await files.remove(name)
  } catch (error) {
    reportError(error)
  }
}

/** Returns the URL of the new photo, null to remove the photo, or undefined to keep it. */
function getImageChange(newPhotoName: string | null, shouldRemovePhoto: boolean) {
  if (newPhotoName) {
    return getFileUrl(newPhotoName)
  }

  return shouldRemovePhoto ? null : undefined
}

/**
 * Writes the settings into the learner's record. The display name is derived from the names.
 *
 * @param image the URL of the new photo; null removes the photo, undefined keeps it
 * @returns the URL of the previous photo
 */
function recordSettings(
  db: Database,
  uid: string,
  { firstName, lastName, phone, location, timezone }: Omit<SettingsFields, 'removePhoto'>,
  image: string | null | undefined,
): Promise<string | null> {
  return db.transaction(async (tx) => {
    const [learnerBefore] = await tx
      .select({ image: users.image })
      .from(users)
      .where(eq(users.id, uid))
      .for('update')
    if (!learnerBefore) {
      throw new Error('The account was deleted while its settings were being saved.')
    }

    await tx
      .update(users)
      .set({
        firstName,
        lastName,
        name: `${firstName} ${lastName}`.trim(),
        phone,
        location,
        timezone,
        // A column that is undefined keeps its value.
        image,
        updatedAt: new Date(),
      })
      .where(eq(users.id, uid))

    return learnerBefore.image
  })
}
