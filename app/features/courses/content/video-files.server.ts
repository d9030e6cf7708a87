import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { env } from '~/server/env.server'
import { isRelease } from '~/server/operations/product-folder.server'
import { checkCaptions } from './caption-files.server'
import { type ContentReader, explainFileError } from './content-reader.server'
import { checkPicture, pictureRules } from './picture-checks.server'
import { findPictureFile, findPictureName } from './picture-files.server'

const videoKinds = {
  mp4: { name: 'MP4', codecs: ['avc', 'vp9', 'av1'], codecNames: 'H.264, VP9 or AV1' },
  webm: { name: 'WebM', codecs: ['vp8', 'vp9', 'av1'], codecNames: 'VP8, VP9 or AV1' },
} as const

type VideoKind = keyof typeof videoKinds

/**
 * A video's length may differ this much from the declared length, because players round it and
 * encoders pad the last frame.
 */
const toleranceSeconds = 1

/**
 * The end of a sentence about a missing file, which names the command that creates the file. A
 * release doesn't have this command.
 */
export const mediaCommandHint = isRelease ? '.' : ', or create it: npm run media'

/**
 * Returns the URLs of a video's files. Every video has an MP4; the other files are optional.
 *
 * @param video the URL without an extension, as stored in `course_lessons.video`
 */
export async function listVideoFiles(video: string) {
  const { dir, base } = path.posix.parse(video.replace(/^\/media\//, ''))
  const names = await readdir(path.join(env.CONTENT_DIR, dir)).catch((): string[] => [])
  const findUrl = (extension: string) =>
    names.includes(`${base}.${extension}`) ? `${video}.${extension}` : null

  return {
    mp4: `${video}.mp4`,
    webm: findUrl('webm'),
    captions: findUrl('vtt'),
    poster: findPictureName(names, `${base}.webp`) && `${video}.webp`,
  }
}

/**
 * Reports problems of a lesson's video files: the MP4 and the optional WebM, poster and captions.
 *
 * @param base the path in the content folder, without an extension
 * @param durationSeconds the length that the lesson declares. A lesson that is longer than its
 * video could never be finished.
 */
export async function checkVideo(reader: ContentReader, base: string, durationSeconds: number) {
  const mp4Seconds = await readVideoSeconds(reader, base, 'mp4')
  const webmSeconds = reader.hasFile(`${base}.webm`)
    ? await readVideoSeconds(reader, base, 'webm')
    : null
  checkLength(reader, `${base}.mp4`, { seconds: mp4Seconds, durationSeconds })
  checkLength(reader, `${base}.webm`, { seconds: webmSeconds, durationSeconds })

  if (
    mp4Seconds !== null &&
    webmSeconds !== null &&
    Math.abs(webmSeconds - mp4Seconds) > toleranceSeconds
  ) {
    const problem = `The video lasts ${roundToTenths(mp4Seconds)} s here and ${roundToTenths(webmSeconds)} s in the .webm. Export both from the same video.`
    reader.report(`${base}.mp4`, problem)
  }

  if (await findPictureFile(reader.resolvePath(''), `${base}.webp`)) {
    await checkPicture(reader, `${base}.webp`, pictureRules.poster, '')
  }

  await checkCaptions(reader, base, durationSeconds)
}

/** Reports a file whose length differs from the length that its lesson declares. */
function checkLength(
  reader: ContentReader,
  file: string,
  { seconds, durationSeconds }: { seconds: number | null; durationSeconds: number },
) {
  if (seconds === null || Math.abs(seconds - durationSeconds) <= toleranceSeconds) {
    return
  }

  reader.report(
    file,
    `The video lasts ${roundToTenths(seconds)} s, but its lesson says ${durationSeconds} s. Write \`durationSeconds: ${Math.max(1, Math.round(seconds))}\` in the lesson, or export the video again.`,
  )
}

/** Returns the length of a video file, or null after reporting why the file can't be played. */
async function readVideoSeconds(
  reader: ContentReader,
  base: string,
  kind: VideoKind,
): Promise<number | null> {
  const file = `${base}.${kind}`
  if (!reader.checkFile(file, `Add it${mediaCommandHint}`)) {
    return null
  }

  try {
    const secondsOrProblem = await readVideo(reader.resolvePath(file), kind)
    if (typeof secondsOrProblem === 'number') {
      return secondsOrProblem
    }

    reader.report(file, secondsOrProblem)
  } catch (error) {
    reader.report(file, explainFileError(error))
  }

  return null
}

/**
 * Reads a video up to its last frame.
 *
 * @returns the length in seconds, or a sentence that says why no browser could play the video to
 * its end
 */
async function readVideo(file: string, kind: VideoKind): Promise<number | string> {
  // The library is imported here, because it is only needed when the content has changed.
  const { EncodedPacketSink, FilePathSource, Input, MP4, WEBM } = await import('mediabunny')
  const input = new Input({
    source: new FilePathSource(file),
    formats: [kind === 'mp4' ? MP4 : WEBM],
  })
  const { name, codecs, codecNames } = videoKinds[kind]
  const cutOffProblem =
    'The video is cut off: part of the file is missing. Export or copy it again.'
  try {
    if (!(await input.canRead().catch(() => false))) {
      return `This isn’t a ${name} video, despite its name. Export it as ${name}.`
    }

    const track = await input.getPrimaryVideoTrack().catch(() => undefined)
    if (track === undefined) {
      return cutOffProblem
    }

    if (track === null) {
      return 'The file has sound only. Export it with its video.'
    }

    if (!codecs.some((codec) => codec === track.codec)) {
      return `Browsers may not play its format '${track.codec ?? 'unknown'}'. Export it as ${codecNames}.`
    }

    const lastPacket = await new EncodedPacketSink(track)
      .getPacket(Number.POSITIVE_INFINITY)
      .catch(() => null)
    if (!lastPacket) {
      return cutOffProblem
    }

    const seconds = lastPacket.timestamp + lastPacket.duration
    const declaredSeconds = await input.getDurationFromMetadata()
    const isCutOff = declaredSeconds !== null && seconds < declaredSeconds - toleranceSeconds

    return isCutOff ? cutOffProblem : seconds
  } finally {
    input.dispose()
  }
}

function roundToTenths(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
