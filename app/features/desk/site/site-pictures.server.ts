import { hash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Sharp } from 'sharp'
import type { Transaction } from '~/server/database/client.server'
import { sitePictures } from '~/server/database/schema'
import { loadSharp } from '~/server/drawing/sharp.server'
import { type PictureProblem, readUploadedPicture } from '~/server/drawing/uploaded-picture.server'
import { StartError } from '~/server/env.server'

const limits = { maxBytes: 5 * 1024 * 1024, maxPixels: 25_000_000 }

const problems: Record<PictureProblem, string> = {
  tooLarge: 'A picture can be up to 5 MB.',
  wrongKind: 'Choose a PNG, JPEG or WebP picture.',
  tooManyPixels: 'A picture can be up to 25 megapixels.',
  moving: 'Choose a picture that isn’t animated.',
  unreadable: 'This picture can’t be read. Choose another one.',
  busy: 'Many pictures are being read right now. Try again in a minute.',
}

const transparent = { r: 0, g: 0, b: 0, alpha: 0 }

/**
 * The stored files of each picture. A logo is 32 pixels high in the header, on screens with up to
 * three dots per pixel.
 */
const drawings = {
  async logo(picture: Sharp) {
    const fitted = picture.resize(720, 96, { fit: 'inside', withoutEnlargement: true })
    const { data, info } = await fitted.png().toBuffer({ resolveWithObject: true })
    return { files: { logo: data }, more: { width: info.width, height: info.height } }
  },
  async icon(picture: Sharp) {
    const icon = await picture
      .resize(512, 512, { fit: 'contain', background: transparent })
      .png()
      .toBuffer()
    const sharp = await loadSharp()
    // iOS fills transparent parts of a home screen icon with black.
    const touch = await sharp(icon)
      .resize(180, 180)
      .flatten({ background: '#ffffff' })
      .png()
      .toBuffer()

    return { files: { icon, touch }, more: {} }
  },
  async share(picture: Sharp) {
    const share = await picture
      .resize(1200, 630, { fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 85 })
      .toBuffer()

    return { files: { share }, more: {} }
  },
}

export type PictureKind = keyof typeof drawings

/**
 * Stores an owner's picture.
 *
 * @returns the value for `site_versions`, or null without an upload.
 * @throws {StartError} if the upload isn't a picture.
 */
export async function storePicture(transaction: Transaction, kind: PictureKind, upload: unknown) {
  if (!(upload instanceof File) || upload.size === 0) {
    return null
  }

  const draw = (picture: Sharp): Promise<{ files: Record<string, Buffer>; more: object }> =>
    drawings[kind](picture)
  const { picture, problem } = await readUploadedPicture(upload, limits, draw)
  if (problem) {
    throw new StartError(problems[problem])
  }

  const named = Object.entries(picture.files).map(([name, bytes]) => ({
    kind: name,
    name: `${name}-${hash('sha256', bytes).slice(0, 16)}.${name === 'share' ? 'jpg' : 'png'}`,
    bytes,
  }))

  // Locks out the removal of old versions, until this version names its picture.
  await transaction.execute(sql`lock table site_pictures in share row exclusive mode`)
  await transaction.insert(sitePictures).values(named).onConflictDoNothing()

  return { ...Object.fromEntries(named.map((file) => [file.kind, file.name])), ...picture.more }
}
