import type { MouseEvent, ReactNode } from 'react'
import type { CourseLesson } from './course-queries.server'
import { previewVideo } from './preview-video'

export type OnPreview = (lesson: CourseLesson) => void

type PreviewLinkProps = { lesson: CourseLesson; onPreview: OnPreview; className: string; children: ReactNode }

/** Opens a preview lesson's video above the page; without a script it leads to the film. */
export function PreviewLink({ lesson, onPreview, className, children }: PreviewLinkProps) {
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onPreview(lesson)
  }
  return (
    <a href={previewVideo(lesson)?.mp4} onClick={open} className={className}>
      {children}
    </a>
  )
}
