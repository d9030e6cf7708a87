import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { listVideoFiles } from '~/server/content/video-files.server'
import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { signMediaAddress } from '~/server/files/course-media.server'
import type { LessonAddress } from '../progress/lesson-work-queries.server'
import type { Cue } from '../video/transcript'
import { parseWebVtt } from '../video/webvtt'
import type { VideoFiles } from './lesson-page-data'

/** @param video base address of the media, as in `course_lessons.video`. */
export async function signVideoFiles(video: string, now: Date): Promise<VideoFiles> {
  const { mp4, webm, captions, poster } = await listVideoFiles(video)
  const sign = async (address: string | null) => address && (await signMediaAddress(address, now))

  return {
    mp4: await signMediaAddress(mp4, now),
    webm: await sign(webm),
    captions: await sign(captions),
    poster: (await sign(poster)) ?? `${video.replace(/\/videos\/.*/, '')}/cover-1280.webp`,
  }
}

/**
 * Pictures and links of an article lead to files of the course, which only its learners may have.
 */
export async function signArticleMedia(html: string, now: Date): Promise<string> {
  const parts = html.split(/(?<=(?:src|href)=")(\/media\/[^"?#&]+)(?=")/)
  const signed = parts.map(async (part, index) =>
    index % 2 === 0 ? part : (await signMediaAddress(part, now)).replaceAll('&', '&amp;'),
  )
  return (await Promise.all(signed)).join('')
}

/**
 * @returns the signed address of a file that the lesson offers; null unless the learner is enrolled
 * and the lesson has it.
 */
export async function findDownload(
  db: Database,
  { uid, courseId, lessonId }: LessonAddress,
  file: string,
  now: Date,
): Promise<string | null> {
  const {
    rows: [row],
  } = await db.execute(sql`
    select 1 from course_lessons l join enrollments e on e.uid = ${uid} and e.course_id = l.course_id
    where l.course_id = ${courseId} and l.id = ${lessonId}
      and l.downloads @> ${JSON.stringify([{ file }])}::jsonb`)

  return row ? await signMediaAddress(`/media/courses/${courseId}/downloads/${file}`, now) : null
}

/** @returns null unless the learner is enrolled and the lesson has a video. */
export async function findVideo(
  db: Database,
  { uid, courseId, lessonId }: LessonAddress,
): Promise<string | null> {
  const {
    rows: [row],
  } = await db.execute<{ video: string | null }>(sql`
    select l.video from course_lessons l join enrollments e on e.uid = ${uid} and e.course_id = l.course_id
    where l.course_id = ${courseId} and l.id = ${lessonId}`)

  return row?.video ?? null
}

/**
 * The captions of a video as text.
 *
 * @param video base address of its media, as in `course_lessons.video`.
 * @returns nothing when the file is missing: a video plays without its transcript, too.
 */
export async function readTranscript(video: string): Promise<Cue[]> {
  const file = path.join(env.CONTENT_DIR, `${video.replace(/^\/media\//, '')}.vtt`)
  return parseWebVtt(await readFile(file, 'utf8').catch(() => ''))
}
