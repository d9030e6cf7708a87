import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { env } from '~/server/env.server'
import { isRelease } from '~/server/operations/product-folder.server'
import { type ContentReader, explainFileError } from './content-reader.server'
import {
  checkPicture,
  findPictureFile,
  findPictureName,
  pictureRules,
} from './picture-files.server'

const kinds = {
  mp4: { name: 'MP4', codecs: ['avc', 'vp9', 'av1'], codecNames: 'H.264, VP9 or AV1' },
  webm: { name: 'WebM', codecs: ['vp8', 'vp9', 'av1'], codecNames: 'VP8, VP9 or AV1' },
} as const

type VideoKind = keyof typeof kinds

/**
 * The allowed difference, in seconds, from the declared length: players round, and encoders pad the
 * last frame.
 */
const toleranceSeconds = 1

/** Ends a sentence about a missing file. A release has no command to create one. */
export const orCreateIt = isRelease ? '.' : ', or create it: npm run media'

/**
 * The addresses of a video's files; only the MP4 is always there.
 *
 * @param video base address of the media, as in `course_lessons.video`.
 */
export async function listVideoFiles(video: string) {
  const { dir, base } = path.posix.parse(video.replace(/^\/media\//, ''))
  const names = await readdir(path.join(env.CONTENT_DIR, dir)).catch((): string[] => [])
  const addressOf = (ending: string) =>
    names.includes(`${base}.${ending}`) ? `${video}.${ending}` : null

  return {
    mp4: `${video}.mp4`,
    webm: addressOf('webm'),
    captions: addressOf('vtt'),
    poster: findPictureName(names, `${base}.webp`) && `${video}.webp`,
  }
}

/**
 * Reports what is wrong with a lesson's video: an MP4, and optionally a WebM, a poster and
 * captions.
 *
 * @param base from the content folder on, without an ending.
 * @param durationSeconds of the lesson. A lesson longer than its video could never be finished.
 */
export async function checkVideo(reader: ContentReader, base: string, durationSeconds: number) {
  const mp4 = await secondsOf(reader, base, 'mp4')
  const webm = reader.has(`${base}.webm`) ? await secondsOf(reader, base, 'webm') : null
  for (const [kind, seconds] of [['mp4', mp4] as const, ['webm', webm] as const]) {
    if (seconds === null || Math.abs(seconds - durationSeconds) <= toleranceSeconds) {
      continue
    }

    reader.report(
      `${base}.${kind}`,
      `The video lasts ${rounded(seconds)} s, but its lesson says ${durationSeconds} s. Write \`durationSeconds: ${Math.max(1, Math.round(seconds))}\` in the lesson, or export the video again.`,
    )
  }

  if (mp4 !== null && webm !== null && Math.abs(webm - mp4) > toleranceSeconds) {
    const problem = `The video lasts ${rounded(mp4)} s here and ${rounded(webm)} s in the .webm. Export both from the same video.`
    reader.report(`${base}.mp4`, problem)
  }

  if (await findPictureFile(reader.path(''), `${base}.webp`)) {
    await checkPicture(reader, `${base}.webp`, pictureRules.poster, '')
  }

  await checkCaptions(reader, base, durationSeconds)
}

async function secondsOf(
  reader: ContentReader,
  base: string,
  kind: VideoKind,
): Promise<number | null> {
  const file = `${base}.${kind}`
  if (!reader.expect(file, `Add it${orCreateIt}`)) {
    return null
  }

  try {
    const read = await readVideo(reader.path(file), kind)
    if (typeof read === 'number') {
      return read
    }

    reader.report(file, read)
  } catch (error) {
    reader.report(file, explainFileError(error))
  }

  return null
}

/**
 * @returns its length in seconds, or a sentence that says why no browser could play it to its end.
 */
async function readVideo(file: string, kind: VideoKind): Promise<number | string> {
  // Loaded when a course has changed; a running product needs none of it.
  const { EncodedPacketSink, FilePathSource, Input, MP4, WEBM } = await import('mediabunny')
  const input = new Input({
    source: new FilePathSource(file),
    formats: [kind === 'mp4' ? MP4 : WEBM],
  })
  const { name, codecs, codecNames } = kinds[kind]
  const cut = 'The video is cut off: part of the file is missing. Export or copy it again.'
  try {
    if (!(await input.canRead().catch(() => false))) {
      return `This isn’t a ${name} video, despite its name. Export it as ${name}.`
    }

    const track = await input.getPrimaryVideoTrack().catch(() => undefined)
    if (track === undefined) {
      return cut
    }

    if (track === null) {
      return 'The file has sound only. Export it with its video.'
    }

    if (!codecs.some((codec) => codec === track.codec)) {
      return `Browsers may not play its format '${track.codec ?? 'unknown'}'. Export it as ${codecNames}.`
    }

    const last = await new EncodedPacketSink(track)
      .getPacket(Number.POSITIVE_INFINITY)
      .catch(() => null)
    if (!last) {
      return cut
    }

    const seconds = last.timestamp + last.duration
    const declared = await input.getDurationFromMetadata()

    return declared !== null && seconds < declared - toleranceSeconds ? cut : seconds
  } finally {
    input.dispose()
  }
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10
}

/** The parts of WebVTT that browsers and the transcript need. */
async function checkCaptions(reader: ContentReader, base: string, durationSeconds: number) {
  const file = `${base}.vtt`
  const isSrtThere = reader.has(`${base}.srt`)
  if (
    !reader.has(file) &&
    !reader.list(path.posix.dirname(base)).includes(path.posix.basename(file))
  ) {
    const repair = isSrtThere
      ? `Convert the SRT file: ffmpeg -i ${path.posix.basename(base)}.srt ${path.posix.basename(file)}`
      : 'People who can’t hear it need them, and search finds their words.'
    return reader.warn(
      `${base}.mp4`,
      `The video has no captions, \`${path.posix.basename(file)}\`. ${repair}`,
    )
  }

  const text = await reader.text(file)
  if (text === null) {
    return
  }

  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  if (
    /^\s*\d+\s*$/.test(lines.find((line) => line.trim() !== '') ?? '') &&
    /\d,\d{3}\s*-->/.test(text)
  ) {
    const repair = 'Write `WEBVTT` and an empty line before it, and times with a point: 00:01.000.'
    return reader.report(
      file,
      `These captions are SRT, despite the name. Convert them to WebVTT: ${repair}`,
    )
  }

  if (!/^WEBVTT($|\s)/.test(lines[0] ?? '')) {
    reader.report(file, 'Captions must start with the line `WEBVTT`. Add it.', 1)
  }

  const timings = lines.flatMap((line, index) =>
    line.includes('-->') ? [{ line, number: index + 1 }] : [],
  )
  if (timings.length === 0) {
    return reader.report(file, 'There are no captions. Add at least one.')
  }

  for (const { line, number } of timings) {
    const [start, end] = line.split('-->').map(secondsOfTime)
    if (start === undefined || end === undefined || Number.isNaN(start + end)) {
      reader.report(
        file,
        'A caption needs two times like `00:01.000 --> 00:04.500`. Correct them.',
        number,
      )
    } else if (end <= start) {
      reader.report(file, 'The caption ends before it begins. Correct its times.', number)
    } else if (start >= durationSeconds || end > durationSeconds + 1) {
      reader.report(
        file,
        `The caption runs past the end of the video, which lasts ${durationSeconds} s. Correct its times.`,
        number,
      )
    }
  }

  for (const number of listUnshown(lines)) {
    reader.report(
      file,
      'This line is shown nowhere: it belongs to no caption. Write its times above it, remove the empty line before it, or delete it.',
      number,
    )
  }
}

/** @returns NaN if it is not a WebVTT time; settings after the second time are ignored. */
function secondsOfTime(text: string): number {
  const [, hours = '0', minutes, seconds] =
    /^\s*(?:(\d+):)?([0-5]\d):([0-5]\d\.\d{3})(?:\s|$)/.exec(text) ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/**
 * The first line of each block that is neither the header, a caption, a note, a style nor a region.
 *
 * @returns from 1 on.
 */
function listUnshown(lines: readonly string[]): number[] {
  const unshown: number[] = []
  for (const [index, line] of lines.entries()) {
    const begins = line !== '' && (lines[index - 1] ?? '') === ''
    if (!begins || index === 0 || /^(NOTE|STYLE|REGION)(\s|$)/.test(line)) {
      continue
    }

    const end = lines.indexOf('', index)
    const block = lines.slice(index, end === -1 ? undefined : end)
    if (!block.some((each) => each.includes('-->'))) {
      unshown.push(index + 1)
    }
  }

  return unshown
}
