import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { signMediaUrl } from '~/features/courses/content/course-media.server'
import { listVideoFiles } from '~/features/courses/content/video-files.server'
import type { StoredMaterial } from '~/features/courses/lessons/lesson-format.server'
import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import type { LearnerLesson } from '../../../progress/lesson-progress'
import type { Cue } from './transcript-panel'
import { parseWebVtt } from './webvtt.server'

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

/**
 * Returns the files that exist of a video, with signed URLs.
 *
 * @param videoUrl the URL of the files without their extension
 */
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

/**
 * Reads the captions. A missing file gives none, because a video also plays without a transcript.
 */
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
