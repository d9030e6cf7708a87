import { type PictureProblem, readUploadedPicture } from '~/server/drawing/uploaded-picture.server'
import { photoRules } from '../account-rules'
import { photoMessages } from './settings-messages'

const statuses = {
  tooLarge: 413,
  tooManyPixels: 413,
  wrongKind: 415,
  moving: 415,
  unreadable: 415,
  busy: 503,
} as const

export type PhotoRefusal = { photo?: undefined; problem: string; status: 413 | 415 | 429 | 503 }
type Converted = { photo: Buffer; problem?: undefined } | PhotoRefusal

/** Crops a learner's upload to a square WebP. */
export async function convertPhoto(upload: File): Promise<Converted> {
  const { storedPixels } = photoRules
  const { picture, problem } = await readUploadedPicture(upload, photoRules, (picture) =>
    picture
      .resize(storedPixels, storedPixels, { fit: 'cover', position: 'attention' })
      .webp({ quality: 84 })
      .toBuffer(),
  )

  return problem === undefined ? { photo: picture } : refusalOf(problem)
}

const refusalOf = (problem: PictureProblem) => ({
  problem: photoMessages[problem],
  status: statuses[problem],
})
