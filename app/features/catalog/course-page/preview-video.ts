import type { CourseLesson } from './course-queries.server'

export type PreviewVideo = { webm: string; mp4: string; captions: string; poster: string }

/** The files of a lesson that anybody may watch: it has to be flagged preview and to have a video address. */
export function previewVideo(lesson: Pick<CourseLesson, 'preview' | 'video'>): PreviewVideo | null {
  if (!lesson.preview || !lesson.video) return null
  const base = lesson.video
  return { webm: `${base}.webm`, mp4: `${base}.mp4`, captions: `${base}.vtt`, poster: `${base}.webp` }
}
