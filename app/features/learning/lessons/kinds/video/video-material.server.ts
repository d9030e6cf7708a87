import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { decodeHTML } from 'entities'
import { signMediaUrl } from '~/features/courses/content/course-media.server'
import { listVideoFiles } from '~/features/courses/content/video-files.server'
import type { StoredMaterial } from '~/features/courses/lessons/lesson-format.server'
import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import type { LearnerLesson } from '../../../progress/progress-statements.server'
import type { Cue } from './transcript-panel'

/**
 * The URLs of a video's files. They are signed for learners of the course and work for some hours.
 * A video without a poster of its own has the cover of the course.
 */
export type VideoFiles = {
  mp4: string
  webm: string | null
  captions: string | null
  poster: string
}

export type VideoMaterial = { files: VideoFiles; transcript: Cue[] }

export async function loadVideoMaterial(
  { video: videoUrl }: StoredMaterial,
  now: Date,
): Promise<VideoMaterial> {
  if (videoUrl === null) {
    throw new Error('A video lesson was stored without its video.')
  }

  return {
    files: await signVideoFiles(videoUrl, now),
    transcript: await readTranscript(videoUrl),
  }
}

/** @param videoUrl the URL of the media files without their extension */
export async function signVideoFiles(videoUrl: string, now: Date): Promise<VideoFiles> {
  const { mp4, webm, captions, poster } = await listVideoFiles(videoUrl)
  const courseMediaUrl = videoUrl.replace(/\/videos\/.*/, '')

  return {
    mp4: await signMediaUrl(mp4, now),
    webm: webm && (await signMediaUrl(webm, now)),
    captions: captions && (await signMediaUrl(captions, now)),
    poster: poster ? await signMediaUrl(poster, now) : `${courseMediaUrl}/cover-1280.webp`,
  }
}

/** Reads the captions. A missing file gives none, because a video also plays without a transcript. */
async function readTranscript(videoUrl: string): Promise<Cue[]> {
  const relativePath = videoUrl.replace(/^\/media\//, '')
  const file = path.join(env.CONTENT_DIR, `${relativePath}.vtt`)
  const captions = await readFile(file, 'utf8').catch(() => '')
  return parseWebVtt(captions)
}

/** Returns the URL of a lesson's video, or null if it has none or the learner is not enrolled. */
export async function findVideoUrl(
  db: Database,
  { uid, courseId, lessonId }: LearnerLesson,
): Promise<string | null> {
  const { rows } = await db.execute<{ video: string | null }>(sql`
    select l.video
    from course_lessons l
    join enrollments e on e.uid = ${uid} and e.course_id = l.course_id
    where l.course_id = ${courseId} and l.id = ${lessonId}`)

  return rows[0]?.video ?? null
}

type CaptionCue = { start: number; end: number; lines: string[] }

/**
 * Reads the cues of a WebVTT file as plain text, by the block rules of
 * https://www.w3.org/TR/webvtt1/#file-parsing. Styles, regions, notes and identifiers are skipped.
 * The name of a voice precedes its text: 'Ida: Hello.'
 */
export function parseWebVtt(file: string): Cue[] {
  const withoutByteOrderMark = file.replace(/^\uFEFF/, '')
  const cues = readCues(withoutByteOrderMark.split(/\r\n|\r|\n/))
  return toTranscript(cues.sort((one, other) => one.start - other.start))
}

const cueTimings =
  /^\s*((?:\d+:)?[0-5]\d:[0-5]\d\.\d{3})[ \t]*-->[ \t]*((?:\d+:)?[0-5]\d:[0-5]\d\.\d{3})/

/** Reads the cues with their markup. A cue ends at an empty line, or at the timings of the next one. */
function readCues(lines: readonly string[]): CaptionCue[] {
  const cues: CaptionCue[] = []
  let openCue: CaptionCue | null = null
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
function readTimings(line: string): CaptionCue | null {
  const [, start, end] = line.match(cueTimings) ?? []
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

/** Joins the lines of each cue. Rolling captions repeat lines, but the transcript has each line once. */
function toTranscript(cues: readonly CaptionCue[]): Cue[] {
  const transcript: Cue[] = []
  let previousCue: CaptionCue | null = null

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
function countRepeatedLines(previousCue: CaptionCue | null, cue: CaptionCue): number {
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
  const withVoiceNames = markup.replaceAll(
    /<v(?:\.[^\s>]*)?\s+([^>]*)>/g,
    (_tag, name: string) => `${name.trim()}: `,
  )
  const withoutTags = withVoiceNames.replaceAll(/<[^>]*(?:>|$)/g, '')
  return decodeHTML(withoutTags)
}
