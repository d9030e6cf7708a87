import path from 'node:path'
import type { ContentReader } from './content-reader.server'

/**
 * Checks the captions of a video: the parts of WebVTT that browsers and the transcript need.
 *
 * @param base the path of the video in the content folder, without an extension
 */
export async function checkCaptions(reader: ContentReader, base: string, durationSeconds: number) {
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
 * Parses a WebVTT time. Settings that follow the time are ignored. Hours need two digits or more,
 * by https://www.w3.org/TR/webvtt1/#webvtt-timestamp. Browsers read a single one, but other players
 * don't.
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
