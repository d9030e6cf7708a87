import { type FileHandle, open } from 'node:fs/promises'
import { type FilmFile, FilmProblem } from './film'
import { readMp4 } from './mp4-film.server'
import { readWebm } from './webm-film.server'

const playable = {
  mp4: { read: readMp4, codecs: /^(avc[13]|av01|vp09)$/, names: 'H.264, VP9 or AV1' },
  webm: { read: readWebm, codecs: /^V_(VP8|VP9|AV1)$/, names: 'VP8, VP9 or AV1' },
}

type FilmKind = keyof typeof playable

const rewritten = {
  mp4: 'ffmpeg -i FILE -c copy -movflags +faststart NEW.mp4',
  webm: 'ffmpeg -i FILE -c copy NEW.webm',
} as const

/**
 * Reads a video's header: its length and format, and checks that the file is complete. Two small parsers of our own, because
 * players use only these few fields, and libraries are large and do not detect truncated files.
 *
 * @returns the length in seconds.
 * @throws {FilmProblem} saying why no browser could play it to its end.
 */
export async function readFilm(path: string, kind: FilmKind): Promise<number> {
  const handle = await open(path)
  try {
    const film = await playable[kind].read(filmFile(handle, (await handle.stat()).size))
    if (!film.hasPicture) throw new FilmProblem('The film has sound only. Export it with its video.')
    if (!playable[kind].codecs.test(film.codec)) {
      throw new FilmProblem(`Browsers may not play its format '${film.codec}'. Export it as ${playable[kind].names}.`)
    }
    if (!(film.seconds > 0 && Number.isFinite(film.seconds))) {
      throw new FilmProblem(`The film doesn’t say how long it is. Rewrite it: ${rewritten[kind]}`)
    }
    return film.seconds
  } finally {
    await handle.close()
  }
}

function filmFile(handle: FileHandle, size: number): FilmFile {
  return {
    size,
    async read(position, length) {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - position)))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
      return buffer.subarray(0, bytesRead)
    },
  }
}
