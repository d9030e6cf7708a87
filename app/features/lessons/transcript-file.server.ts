import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { env } from '~/server/env.server'
import { type Cue, parseTranscript } from './transcript'

/**
 * The captions of a video as text.
 *
 * @param video base address of its media, as in `course_lessons.video`.
 * @returns nothing when the file is missing: a video plays without its transcript, too.
 */
export async function readTranscript(video: string): Promise<Cue[]> {
  const file = path.join(env.CONTENT_DIR, `${video.replace(/^\/media\//, '')}.vtt`)
  return parseTranscript(await readFile(file, 'utf8').catch(() => ''))
}
