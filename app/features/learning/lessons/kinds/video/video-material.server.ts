import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { decodeHTML } from 'entities'
import { signMediaUrl } from '~/features/courses/content/course-media.server'
import { listVideoFiles } from '~/features/courses/content/video-files.server'
import type { StoredMaterial } from '~/features/courses/lessons/lesson-format.server'
import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import type { LearnerLesson } from '../../../progress/record-progress.server'
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
  { video }: StoredMaterial,
  now: Date,
): Promise<VideoMaterial> {
  if (video === null) {
    throw new Error('A video lesson was stored without its video.')
  }

  return { files: await signVideoFiles(video, now), transcript: await readTranscript(video) }
}

/** @param video the URL of the media files without their extension */
export async function signVideoFiles(video: string, now: Date): Promise<VideoFiles> {
  const { mp4, webm, captions, poster } = await listVideoFiles(video)
  const courseCover = `${video.replace(/\/videos\/.*/, '')}/cover-1280.webp`

  return {
    mp4: await signMediaUrl(mp4, now),
    webm: webm && (await signMediaUrl(webm, now)),
    captions: captions && (await signMediaUrl(captions, now)),
    poster: poster ? await signMediaUrl(poster, now) : courseCover,
  }
}

/** Reads the captions. A missing file gives none, because a video also plays without a transcript. */
async function readTranscript(video: string): Promise<Cue[]> {
  const file = path.join(env.CONTENT_DIR, `${video.replace(/^\/media\//, '')}.vtt`)
  const captions = await readFile(file, 'utf8').catch(() => '')
  return parseWebVtt(captions)
}

/** Returns the video of a lesson, or null if it has none or the learner is not enrolled. */
export async function findVideo(
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

/** Cues this close to one another belong together. */
const adjacentSeconds = 0.1

const timings =
  /^\s*((?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})[ \t]*-->[ \t]*((?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})/

type CueLines = { start: number; end: number; lines: string[] }

/**
 * Reads the cues of a WebVTT file as plain text, by the block rules of
 * https://www.w3.org/TR/webvtt1/#file-parsing. Styles, regions, notes and identifiers are skipped.
 * A voice is written before its words: 'Ida: Hello.'
 */
export function parseWebVtt(file: string): Cue[] {
  const cues = readCues(file.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/))
  return withoutRepeatedLines(cues.sort((one, other) => one.start - other.start))
}

/** A cue ends at an empty line, or at the timings of the next one. */
function readCues(lines: readonly string[]): CueLines[] {
  const cues: CueLines[] = []
  let current: CueLines | null = null
  for (const line of lines) {
    if (line.includes('-->')) {
      const [, start, end] = line.match(timings) ?? []
      current = start && end ? { start: secondsOf(start), end: secondsOf(end), lines: [] } : null
      if (current) {
        cues.push(current)
      }
    } else if (line === '') {
      current = null
    } else {
      current?.lines.push(line)
    }
  }

  return cues
}

/** Rolling captions show a line again above the next one; a transcript has it once. */
function withoutRepeatedLines(cues: readonly CueLines[]): Cue[] {
  const transcript: Cue[] = []
  let before: CueLines = { start: 0, end: Number.NEGATIVE_INFINITY, lines: [] }
  for (const cue of cues) {
    // Markup may span lines, so it is read from the whole cue.
    const lines = plainText(cue.lines.join('\n'))
      .split('\n')
      .map((line) => line.replaceAll(/\s+/g, ' ').trim())
      .filter(Boolean)
    const repeated =
      cue.start - before.end <= adjacentSeconds ? countRepeated(before.lines, lines) : 0
    const text = lines.slice(repeated).join(' ')
    const last = transcript.at(-1)
    if (text) {
      transcript.push({ start: cue.start, end: cue.end, text })
    } else if (last && lines.length > 0) {
      last.end = Math.max(last.end, cue.end)
    }

    if (lines.length > 0) {
      before = { ...cue, lines }
    }
  }

  return transcript
}

/** @returns how many lines at the end of one cue are those at the beginning of the next. */
function countRepeated(before: readonly string[], lines: readonly string[]): number {
  for (let count = Math.min(before.length, lines.length); count > 0; count--) {
    if (before.slice(-count).every((line, index) => line === lines[index])) {
      return count
    }
  }

  return 0
}

/** Without tags and timestamps, with the name of a voice and the characters that entities mean. */
function plainText(markup: string): string {
  const named = markup.replaceAll(
    /<v(?:\.[^\s>]*)?\s+([^>]*)>/g,
    (_tag, name: string) => `${name.trim()}: `,
  )
  return decodeHTML(named.replaceAll(/<[^>]*(?:>|$)/g, ''))
}

function secondsOf(time: string): number {
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}
