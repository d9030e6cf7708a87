/**
 * Stores the pictures that an owner uploads for the site: the logo, the icon, and the picture that
 * social networks show. Only files that were drawn anew from the upload are stored and served.
 */
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
const maxLogoSize = { width: 720, height: 3 * 32 }
const iconPixels = 512
const touchIconPixels = 180
const sharePictureSize = { width: 1200, height: 630 }
const transparent = { r: 0, g: 0, b: 0, alpha: 0 }

export type PictureKind = 'logo' | 'icon' | 'share'

/** A touch icon stands for the site on the home screen of a phone. */
type PictureFile = {
  kind: PictureKind | 'touch'
  bytes: Buffer
  extension: 'png' | 'jpg'
}

type DrawnPicture = {
  files: PictureFile[]
  logoSize?: { width: number; height: number }
}

/** Draws the files that are stored for each kind of picture. */
const drawPicture: Record<PictureKind, (upload: Sharp) => Promise<DrawnPicture>> = {
  async logo(upload) {
    const { data, info } = await upload
      .resize({ ...maxLogoSize, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer({ resolveWithObject: true })

    return {
      files: [{ kind: 'logo', bytes: data, extension: 'png' }],
      logoSize: { width: info.width, height: info.height },
    }
  },

  async icon(upload) {
    const icon = await upload
      .resize(iconPixels, iconPixels, { fit: 'contain', background: transparent })
      .png()
      .toBuffer()

    const sharp = await loadSharp()
    // iOS fills transparent parts of a home screen icon with black.
    const touchIcon = await sharp(icon)
      .resize(touchIconPixels, touchIconPixels)
      .flatten({ background: '#ffffff' })
      .png()
      .toBuffer()

    return {
      files: [
        { kind: 'icon', bytes: icon, extension: 'png' },
        { kind: 'touch', bytes: touchIcon, extension: 'png' },
      ],
    }
  },

  async share(upload) {
    const bytes = await upload
      .resize({ ...sharePictureSize, fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 85 })
      .toBuffer()

    return { files: [{ kind: 'share', bytes, extension: 'jpg' }] }
  },
}

/** Enough characters of a hash to tell all pictures of a site apart. */
const fileHashLength = 16

/** What `site_versions` stores: the name of each file of a picture, and the size of a logo. */
type StoredPicture = Partial<Record<PictureFile['kind'], string>> & {
  width?: number
  height?: number
}

/** Stores an owner's picture. Fails if the upload is missing, or can't be used as a picture. */
export async function storePicture(
  transaction: Transaction,
  kind: PictureKind,
  upload: unknown,
): Promise<Result<StoredPicture>> {
  if (!(upload instanceof File) || upload.size === 0) {
    return failure(missingPictureMessage)
  }

  const { picture, problem } = await readUploadedPicture(upload, uploadLimits, drawPicture[kind])
  if (problem) {
    return failure(problemTexts[problem])
  }

  const pictureRows = picture.files.map(({ kind: fileKind, bytes, extension }) => ({
    kind: fileKind,
    name: `${fileKind}-${hash('sha256', bytes).slice(0, fileHashLength)}.${extension}`,
    bytes,
  }))

  // Removing old versions of the site also deletes the pictures that no version names. The lock
  // makes that removal wait until this transaction has stored the version that names these
  // pictures.
  await transaction.execute(sql`lock table site_pictures in share row exclusive mode`)
  await transaction.insert(sitePictures).values(pictureRows).onConflictDoNothing()

  const fileNames = Object.fromEntries(pictureRows.map((row) => [row.kind, row.name]))
  return success({ ...fileNames, ...picture.logoSize })
}
