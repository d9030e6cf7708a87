import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { signMediaAddress } from '~/features/courses/content/course-media.server'
import { listVideoFiles } from '~/features/courses/content/video-files.server'
import type { StoredMaterial } from '~/features/courses/lessons/lesson-format.server'
import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import type { LearnerLesson } from '../../../progress/record-progress.server'
import type { Cue } from './transcript'
import { parseWebVtt } from './webvtt'

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
    mp4: await signMediaAddress(mp4, now),
    webm: webm && (await signMediaAddress(webm, now)),
    captions: captions && (await signMediaAddress(captions, now)),
    poster: poster ? await signMediaAddress(poster, now) : courseCover,
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
