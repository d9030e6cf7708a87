import { hash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Sharp } from 'sharp'
import type { Transaction } from '~/server/database/client.server'
import { sitePictures } from '~/server/database/schema'
import { loadSharp } from '~/server/drawing/sharp.server'
import { type PictureProblem, readUploadedPicture } from '~/server/drawing/uploaded-picture.server'
import { failure, type Result, success } from '~/server/result'

export const missingPictureMessage = 'Choose a picture.'

const uploadLimits = { maxBytes: 5 * 1024 * 1024, maxPixels: 25_000_000 }

const problemTexts: Record<PictureProblem, string> = {
  tooLarge: 'A picture can be up to 5 MB.',
  wrongKind: 'Choose a PNG, JPEG or WebP picture.',
  tooManyPixels: 'A picture can be up to 25 megapixels.',
  moving: 'Choose a picture that isn’t animated.',
  unreadable: 'This picture can’t be read. Choose another one.',
  busy: 'Many pictures are being read right now. Try again in a minute.',
}

/** The header shows a logo with 32 pixels in height, on screens with up to three dots per pixel. */
const logoSize = { width: 720, height: 3 * 32 }
const iconPixels = 512
const touchIconPixels = 180
const shareSize = { width: 1200, height: 630 }
const transparent = { r: 0, g: 0, b: 0, alpha: 0 }

/** Draws the files that are stored for each kind of picture. */
const drawFiles = {
  async logo(picture: Sharp) {
    const { data, info } = await picture
      .resize({ ...logoSize, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer({ resolveWithObject: true })

    return { files: { logo: data }, attributes: { width: info.width, height: info.height } }
  },
  async icon(picture: Sharp) {
    const icon = await picture
      .resize(iconPixels, iconPixels, { fit: 'contain', background: transparent })
      .png()
      .toBuffer()

    const sharp = await loadSharp()
    // iOS fills transparent parts of a home screen icon with black.
    const touch = await sharp(icon)
      .resize(touchIconPixels, touchIconPixels)
      .flatten({ background: '#ffffff' })
      .png()
      .toBuffer()

    return { files: { icon, touch }, attributes: {} }
  },
  async share(picture: Sharp) {
    const share = await picture
      .resize({ ...shareSize, fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 85 })
      .toBuffer()

    return { files: { share }, attributes: {} }
  },
}

export type PictureKind = keyof typeof drawFiles

/** The names of a picture's files, and the size of a logo, as `site_versions` stores them. */
type StoredPicture = Record<string, unknown>

/** Stores an owner's picture. Fails if the upload is missing or isn't a picture. */
export async function storePicture(
  transaction: Transaction,
  kind: PictureKind,
  upload: unknown,
): Promise<Result<StoredPicture>> {
  if (!(upload instanceof File) || upload.size === 0) {
    return failure(missingPictureMessage)
  }

  const draw = (picture: Sharp): Promise<{ files: Record<string, Buffer>; attributes: object }> =>
    drawFiles[kind](picture)
  const { picture, problem } = await readUploadedPicture(upload, uploadLimits, draw)
  if (problem) {
    return failure(problemTexts[problem])
  }

  const files = Object.entries(picture.files).map(([fileKind, bytes]) => ({
    kind: fileKind,
    name: `${fileKind}-${hash('sha256', bytes).slice(0, 16)}.${fileKind === 'share' ? 'jpg' : 'png'}`,
    bytes,
  }))

  // Until this version names its picture, the removal of old versions could delete the picture.
  // The lock makes it wait for the end of this transaction.
  await transaction.execute(sql`lock table site_pictures in share row exclusive mode`)
  await transaction.insert(sitePictures).values(files).onConflictDoNothing()

  const fileNames = Object.fromEntries(files.map((file) => [file.kind, file.name]))
  return success({ ...fileNames, ...picture.attributes })
}
