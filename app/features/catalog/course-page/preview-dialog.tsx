import { X } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from '~/ui/button'
import { isPlainClick } from '~/ui/plain-click'
import type { CourseLesson } from './course-queries.server'

type PreviewDialogProps = {
  lesson: CourseLesson
  /** The button to enroll, which stands below the video. */
  enrollment: ReactNode
  onClose(): void
}

/**
 * Shows the video of a preview lesson above the page. The dialog closes by its button, a click on
 * the overlay or Escape. Then the video stops, and the focus returns to the element that opened the
 * dialog.
 */
export function PreviewDialog({ lesson, enrollment, onClose }: PreviewDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const video = lesson.previewFiles
  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()

    return () => {
      if (opener instanceof HTMLElement) {
        opener.focus({ preventScroll: true })
      }
    }
  }, [])

  const closeOnOverlay = (event: MouseEvent) => {
    if (event.target === dialog.current) {
      dialog.current?.close()
    }
  }

  if (!video) {
    return null
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog
      ref={dialog}
      aria-labelledby="preview-title"
      onClick={closeOnOverlay}
      onClose={onClose}
      className="m-auto w-[min(60rem,calc(100vw-2rem))] max-w-none overflow-y-auto rounded-card border border-line bg-surface text-ink shadow-raised backdrop:bg-black/75"
    >
      <div>
        <div className="flex items-center gap-4 py-2 pr-2 pl-5">
          <h2 id="preview-title" className="flex-1 font-bold text-lg">
            {lesson.title}
          </h2>
          <IconButton label="Close" onClick={() => dialog.current?.close()}>
            <X aria-hidden="true" size={20} />
          </IconButton>
        </div>
        {/* biome-ignore lint/a11y/useMediaCaption: a school's video may have none; the check warns of it. */}
        <video
          controls
          autoPlay
          playsInline
          preload="metadata"
          poster={video.poster}
          width={1280}
          height={720}
          className="block aspect-video h-auto max-h-[calc(100dvh-14rem)] w-full bg-black"
        >
          {video.webm && <source src={video.webm} type="video/webm" />}
          <source src={video.mp4} type="video/mp4" />
          {video.captions && (
            <track default kind="captions" src={video.captions} srcLang="en" label="English" />
          )}
          Your browser does not support the video tag.
        </video>
        {enrollment}
      </div>
    </dialog>
  )
}

export type OnPreview = (lesson: CourseLesson) => void

type PreviewLinkProps = {
  lesson: CourseLesson
  onPreview: OnPreview
  className: string
  children: ReactNode
}

/** Opens the video of a preview lesson in a dialog. Without a script, the link opens the video. */
export function PreviewLink({ lesson, onPreview, className, children }: PreviewLinkProps) {
  const openDialog = (event: MouseEvent) => {
    if (!isPlainClick(event)) {
      return
    }

    event.preventDefault()
    onPreview(lesson)
  }

  return (
    <a href={lesson.previewFiles?.mp4} onClick={openDialog} className={className}>
      {children}
    </a>
  )
}
