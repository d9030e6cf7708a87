import { statSync } from 'node:fs'
import { isRelease } from '../product-folder.server'
import type { ContentReader } from './content-reader.server'
import { reasonOf } from './content-reader.server'
import { FilmProblem } from './film'
import { readFilm } from './film-file.server'
import { drawingProblem, type PictureRule, pictureProblem } from './picture-file.server'

/** A film may differ from what is declared by so many seconds: players round, and encoders fill up the last frame. */
const toleranceSeconds = 1

/** Ends a sentence about a missing picture or film: a release has no tools that draw. */
export const orDrawIt = isRelease ? '.' : ', or create it: npm run media'

const cover = (width: number): PictureRule => ({
  minWidth: width,
  shape: 16 / 9,
  words: `at least ${width} x ${(width * 9) / 16} pixels, at a ratio of 16:9`,
})
export const pictureRules = {
  cover: cover(640),
  largeCover: cover(1280),
  portrait: { minWidth: 160, shape: 1, words: 'a square of at least 160 x 160 pixels' },
  poster: { minWidth: 320, words: 'at least 320 pixels wide' },
} satisfies Record<string, PictureRule>

/** Results by file, time of change and size: an unchanged file is looked into once. */
const known = new Map<string, Promise<unknown>>()
const maxKnown = 20_000

function once<Result>(path: string, about: string, read: (bytes: number) => Promise<Result>): Promise<Result> {
  const { mtimeMs, size } = statSync(path)
  const key = `${path} ${about} ${mtimeMs} ${size}`
  const before = known.get(key) as Promise<Result> | undefined
  if (before) return before
  if (known.size > maxKnown) known.clear()
  const result = read(size)
  known.set(key, result)
  // What failed for a passing reason is tried again.
  result.catch(() => known.delete(key))
  return result
}

export async function checkPicture(reader: ContentReader, file: string, rule: PictureRule, repair: string) {
  if (!reader.expect(file, repair)) return
  const path = reader.path(file)
  try {
    const problem = await once(path, rule.words, (bytes) => pictureProblem(path, bytes, rule))
    if (problem) reader.report(file, problem)
  } catch (error) {
    reader.report(file, reasonOf(error))
  }
}

export async function checkDrawing(reader: ContentReader, file: string) {
  const text = await reader.text(file)
  const problem = text === null ? null : drawingProblem(text)
  if (problem) reader.report(file, problem)
}

/** @param declaredSeconds of the lesson; whoever watches less than most of it can never finish. */
export async function checkFilms(reader: ContentReader, base: string, declaredSeconds: number, repair: string) {
  const lengths = await Promise.all((['webm', 'mp4'] as const).map((kind) => filmSeconds(reader, base, kind, repair)))
  const [webm, mp4] = lengths
  for (const [index, seconds] of lengths.entries()) {
    if (seconds === null || Math.abs(seconds - declaredSeconds) <= toleranceSeconds) continue
    reader.report(
      `${base}.${index === 0 ? 'webm' : 'mp4'}`,
      `The film lasts ${rounded(seconds)} s, but its lesson says ${declaredSeconds} s. Write \`durationSeconds: ${Math.max(1, Math.round(seconds))}\` in the lesson, or export the film again.`,
    )
  }
  if (webm != null && mp4 != null && Math.abs(webm - mp4) > toleranceSeconds) {
    const problem = `The film lasts ${rounded(mp4)} s here and ${rounded(webm)} s in the .webm. Export both from the same film.`
    reader.report(`${base}.mp4`, problem)
  }
}

async function filmSeconds(reader: ContentReader, base: string, kind: 'webm' | 'mp4', repair: string) {
  const file = `${base}.${kind}`
  if (!reader.expect(file, repair)) return null
  const path = reader.path(file)
  try {
    const result = await once(path, 'film', () =>
      readFilm(path, kind).catch((error: unknown) => {
        if (error instanceof FilmProblem) return error.message
        throw error
      }),
    )
    if (typeof result === 'number') return result
    reader.report(file, result)
  } catch (error) {
    reader.report(file, reasonOf(error))
  }
  return null
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
