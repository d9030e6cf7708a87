/**
 * Saves the settings form, which may contain a profile photo.
 *
 * Everything is checked before anything is stored. The new photo is stored first, then the record
 * is written, and only then the previous photo is removed: a failure in between never leaves a
 * record without its photo.
 */
import { eq } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import { type FileStore, getFileUrl, parseFileUrl } from '~/server/files/files.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { getUser } from '../account-queries.server'
import type { AttemptCounter } from '../attempt-counter.server'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { getSettingsForm, type SettingsFields } from '../form/form-schemas'
import {
  photoErrorResponse,
  removePhoto,
  removeUnusedPhoto,
  storeChosenPhoto,
} from './profile-photo.server'
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
 * Counts the forms that each account is sending and that may have a photo, because each takes up to
 * 12 MB of memory. If one of them got stuck, there is room for a second attempt.
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
  const newImage = chooseImage(newPhotoName, data.removePhoto)
  let previousImage: string | null
  try {
    previousImage = await recordSettings(db, uid, data, newImage)
  } catch (error) {
    if (newPhotoName) {
      await removeUnusedPhoto({ db, files }, uid, newPhotoName)
    }

    throw error
  }

  const previousPhotoName = parseFileUrl(previousImage)
  if (newImage !== undefined && previousPhotoName) {
    await removePhoto(files, previousPhotoName)
  }

  return successResponse<AccountFormSuccess>({ notice: settingsMessages.settingsSaved })
}

/**
 * Returns the new value of the column `image`: a photo's URL, null for no photo, or undefined to
 * keep it.
 */
function chooseImage(newPhotoName: string | null, shouldRemovePhoto: boolean) {
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
