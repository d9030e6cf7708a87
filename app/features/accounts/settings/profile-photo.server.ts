/**
 * Stores and removes the profile photos of learners. A photo is stored as a square WebP picture.
 */
import type { Database } from '~/server/database/client.server'
import { type PictureProblem, readUploadedPicture } from '~/server/drawing/uploaded-picture.server'
import { createFileName, type FileStore, getFileUrl } from '~/server/files/files.server'
import { errorResponse } from '~/server/http/form-response.server'
import { reportError } from '~/server/operations/log.server'
import { findUser } from '../account-queries.server'
import { photoRules } from '../account-rules'
import type { AttemptCounter } from '../attempt-counter.server'
import { attemptLimits } from '../attempt-limits.server'
import { settingsMessages } from './settings-messages'

type PhotoServices = { files: FileStore; attempts: Pick<AttemptCounter, 'consume'> }

export type PhotoProblem = {
  /** The message beside the field. */
  problem: string
  status: 413 | 415 | 429 | 503
}

/**
 * The name of the stored file, which is null if the form has no photo; or why it was not stored.
 */
type StoredPhoto = { name: string | null; problem?: undefined } | PhotoProblem

/**
 * Converts and stores the photo in the form, if there is one.
 *
 * @returns the name of the new file, or why it was not stored
 */
export async function storeChosenPhoto(
  { files, attempts }: PhotoServices,
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

export function photoErrorResponse({ problem, status }: PhotoProblem, form?: FormData) {
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
 * lost during the commit, the record may use the photo nevertheless. The file stays if the record
 * uses it, or if that cannot be found out.
 */
export async function removeUnusedPhoto(
  { db, files }: { db: Database; files: FileStore },
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
export async function removePhoto(files: FileStore, name: string): Promise<void> {
  try {
    await files.remove(name)
  } catch (error) {
    reportError(error)
  }
}
