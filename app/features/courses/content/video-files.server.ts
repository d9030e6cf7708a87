import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { env } from '~/server/env.server'
import { isRelease } from '~/server/operations/product-folder.server'
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
export const createMediaHint = isRelease ? '.' : ', or create it: npm run media'

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
  for (const [kind, seconds] of [['mp4', mp4Seconds] as const, ['webm', webmSeconds] as const]) {
    if (seconds === null || Math.abs(seconds - durationSeconds) <= toleranceSeconds) {
      continue
    }

    reader.report(
      `${base}.${kind}`,
      `The video lasts ${roundToTenths(seconds)} s, but its lesson says ${durationSeconds} s. Write \`durationSeconds: ${Math.max(1, Math.round(seconds))}\` in the lesson, or export the video again.`,
    )
  }

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

/** Returns the length of a video file, or null after reporting why the file can't be played. */
async function readVideoSeconds(
  reader: ContentReader,
  base: string,
  kind: VideoKind,
): Promise<number | null> {
  const file = `${base}.${kind}`
  if (!reader.checkFile(file, `Add it${createMediaHint}`)) {
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

/** Checks the parts of WebVTT that browsers and the transcript need. */
async function checkCaptions(reader: ContentReader, base: string, durationSeconds: number) {
  const file = `${base}.vtt`
  // A broken link is in the list of names. It is reported as a problem when it is read below.
  if (
    !reader.hasFile(file) &&
    !reader.listNames(path.posix.dirname(base)).includes(path.posix.basename(file))
  ) {
    warnAboutMissingCaptions(reader, base)
    return
  }

  const text = await reader.readText(file)
  if (text === null) {
    return
  }

  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  if (isSrt(text, lines)) {
    const repair = 'Write `WEBVTT` and an empty line before it, and times with a point: 00:01.000.'
    reader.report(
      file,
      `These captions are SRT, despite the name. Convert them to WebVTT: ${repair}`,
    )
    return
  }

  if (!/^WEBVTT($|\s)/.test(lines[0] ?? '')) {
    reader.report(file, 'Captions must start with the line `WEBVTT`. Add it.', 1)
  }

  if (!lines.some((line) => line.includes('-->'))) {
    reader.report(file, 'There are no captions. Add at least one.')
    return
  }

  for (const [index, line] of lines.entries()) {
    const problem = line.includes('-->') ? findTimingProblem(line, durationSeconds) : null
    if (problem !== null) {
      reader.report(file, problem, index + 1)
    }
  }

  for (const lineNumber of listIgnoredBlocks(lines)) {
    reader.report(
      file,
      'This line is shown nowhere: it belongs to no caption. Write its times above it, remove the empty line before it, or delete it.',
      lineNumber,
    )
  }
}

function warnAboutMissingCaptions(reader: ContentReader, base: string) {
  const videoName = path.posix.basename(base)
  const repair = reader.hasFile(`${base}.srt`)
    ? `Convert the SRT file: ffmpeg -i ${videoName}.srt ${videoName}.vtt`
    : 'People who can’t hear it need them, and search finds their words.'

  reader.warn(`${base}.mp4`, `The video has no captions, \`${videoName}.vtt\`. ${repair}`)
}

/** Recognizes SRT by a number in its first line of text and a comma in its times. */
function isSrt(text: string, lines: readonly string[]): boolean {
  const firstLine = lines.find((line) => line.trim() !== '') ?? ''
  return /^\s*\d+\s*$/.test(firstLine) && /\d,\d{3}\s*-->/.test(text)
}

/** Returns what is wrong with a line like `00:01.000 --> 00:04.500`, or null. */
function findTimingProblem(line: string, durationSeconds: number): string | null {
  if (/(?<!\d)\d:[0-5]\d:[0-5]\d\.\d{3}/.test(line)) {
    return 'The hours of a caption’s time need two digits, as in `01:00:05.000`. Correct them.'
  }

  const [start, end] = line.split('-->').map(parseTimeSeconds)
  if (start === undefined || end === undefined || Number.isNaN(start + end)) {
    return 'A caption needs two times like `00:01.000 --> 00:04.500`. Correct them.'
  }

  if (end <= start) {
    return 'The caption ends before it begins. Correct its times.'
  }

  if (start >= durationSeconds || end > durationSeconds + 1) {
    return `The caption runs past the end of the video, which lasts ${durationSeconds} s. Correct its times.`
  }

  return null
}

/**
 * Parses a WebVTT time. Settings that follow the time are ignored. Hours need two digits or more, by
 * https://www.w3.org/TR/webvtt1/#webvtt-timestamp. Browsers read a single one, but other players don't.
 *
 * @returns NaN if the text doesn't start with a WebVTT time
 */
function parseTimeSeconds(text: string): number {
  const [, hours = '0', minutes, seconds] =
    /^\s*(?:(\d{2,}):)?([0-5]\d):([0-5]\d\.\d{3})(?:\s|$)/.exec(text) ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/**
 * Finds the blocks of lines that players ignore: those that are neither the header, a caption, a
 * note, a style nor a region.
 *
 * @returns the number of each block's first line, counted from 1
 */
function listIgnoredBlocks(lines: readonly string[]): number[] {
  const lineNumbers: number[] = []
  for (const [index, line] of lines.entries()) {
    const isBlockStart = line !== '' && (lines[index - 1] ?? '') === ''
    if (!isBlockStart || index === 0 || /^(NOTE|STYLE|REGION)(\s|$)/.test(line)) {
      continue
    }

    const blockEnd = lines.indexOf('', index)
    const block = lines.slice(index, blockEnd === -1 ? undefined : blockEnd)
    if (!block.some((blockLine) => blockLine.includes('-->'))) {
      lineNumbers.push(index + 1)
    }
  }

  return lineNumbers
}
