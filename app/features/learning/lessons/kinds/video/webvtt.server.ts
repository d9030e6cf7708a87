import { decodeHTML } from 'entities'
import type { Cue } from './transcript-panel'

/**
 * Reads the cues of a WebVTT file as plain text, by the block rules of
 * https://www.w3.org/TR/webvtt1/#file-parsing. Styles, regions, notes and identifiers are skipped.
 * The name of a voice precedes its text: 'Ida: Hello.'
 */
export function parseWebVtt(fileText: string): Cue[] {
  const withoutByteOrderMark = fileText.replace(/^\uFEFF/, '')
  const cues = readCues(withoutByteOrderMark.split(/\r\n|\r|\n/))
  return toTranscript(cues.sort((one, other) => one.start - other.start))
}

/** A cue as the file has it, with its times in seconds. */
type CueWithMarkup = { start: number; end: number; lines: string[] }

const timingsPattern =
  /^\s*((?:\d+:)?[0-5]\d:[0-5]\d\.\d{3})[ \t]*-->[ \t]*((?:\d+:)?[0-5]\d:[0-5]\d\.\d{3})/

/**
 * Reads the cues with their markup. A cue ends at an empty line, or at the timings of the next one.
 */
function readCues(lines: readonly string[]): CueWithMarkup[] {
  const cues: CueWithMarkup[] = []
  let openCue: CueWithMarkup | null = null
  for (const line of lines) {
    if (line.includes('-->')) {
      openCue = readTimings(line)
      if (openCue) {
        cues.push(openCue)
      }
    } else if (line === '') {
      openCue = null
    } else {
      openCue?.lines.push(line)
    }
  }

  return cues
}

/** Returns a cue without lines, or null if the timings are unreadable. */
function readTimings(line: string): CueWithMarkup | null {
  const [, start, end] = line.match(timingsPattern) ?? []
  if (!start || !end) {
    return null
  }

  return { start: parseSeconds(start), end: parseSeconds(end), lines: [] }
}

/** Parses a time like "01:02:03.500" or "02:03.500". */
function parseSeconds(time: string): number {
  return time.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0)
}

/** Cues with a smaller gap between them may belong to the same rolling captions. */
const maxRollingGapSeconds = 0.1

/**
 * Joins the lines of each cue. Rolling captions repeat lines, but the transcript has each line
 * once.
 */
function toTranscript(cues: readonly CueWithMarkup[]): Cue[] {
  const transcript: Cue[] = []
  let previousCue: CueWithMarkup | null = null

  for (const cue of cues) {
    const lines = toPlainLines(cue.lines)
    if (lines.length === 0) {
      continue
    }

    const repeatedCount = countRepeatedLines(previousCue, { ...cue, lines })
    const newText = lines.slice(repeatedCount).join(' ')
    const lastEntry = transcript.at(-1)
    if (newText) {
      transcript.push({ start: cue.start, end: cue.end, text: newText })
    } else if (lastEntry) {
      lastEntry.end = Math.max(lastEntry.end, cue.end)
    }

    previousCue = { ...cue, lines }
  }

  return transcript
}

/** Returns how many of a cue's first lines are the last lines of the cue right before it. */
function countRepeatedLines(previousCue: CueWithMarkup | null, cue: CueWithMarkup): number {
  if (previousCue === null || cue.start - previousCue.end > maxRollingGapSeconds) {
    return 0
  }

  for (let count = Math.min(previousCue.lines.length, cue.lines.length); count > 0; count--) {
    const lastLines = previousCue.lines.slice(-count)
    const isRepeated = lastLines.every((line, index) => line === cue.lines[index])
    if (isRepeated) {
      return count
    }
  }

  return 0
}

/** Returns the lines of a cue without markup and without empty lines. */
function toPlainLines(lines: readonly string[]): string[] {
  // A tag may span several lines, so the markup is removed from all lines together.
  return removeMarkup(lines.join('\n'))
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
}

/** Removes tags and timestamps, writes out the names of voices, and decodes entities. */
function removeMarkup(markup: string): string {
  // Without '<' in the name and the classes, the search takes no longer if many tags are not
  // closed.
  const withVoiceNames = markup.replaceAll(
    /<v(?:\.[^\s<>]*)?\s([^<>]*)>/g,
    (_tag, name: string) => `${name.trim()}: `,
  )
  const withoutTags = withVoiceNames.replaceAll(/<[^>]*(?:>|$)/g, '')
  return decodeHTML(withoutTags)
}
