import { Download } from 'lucide-react'
import { formatSize } from '~/ui/format-count'
import type { OpenLesson } from './lesson-page-data'

type LessonDownloadsProps = {
  courseId: string
  lesson: OpenLesson
  /** The URLs of the files in their order, for staff, who can't use the URLs of learners. */
  downloadUrls?: readonly string[]
}

/** Lists the files of a lesson with the title, kind and size of each. */
export function LessonDownloads({ courseId, lesson, downloadUrls }: LessonDownloadsProps) {
  if (lesson.downloads.length === 0) {
    return null
  }

  return (
    <section aria-labelledby="downloads" className="card p-5">
      <h2 id="downloads" className="text-lg font-bold">
        Downloads
      </h2>
      <ul className="mt-3 grid gap-2 sm:grid-cols-2">
        {lesson.downloads.map(({ file, title, kind, bytes }, index) => (
          <li key={file}>
            <a
              href={downloadUrls?.[index] ?? `/Learn/${courseId}/${lesson.id}/downloads/${file}`}
              className="flex min-h-11 items-center gap-3 rounded-control border border-line px-4 py-2.5 leading-snug no-underline hover:border-edge hover:bg-sunken"
            >
              <Download aria-hidden="true" size={18} className="shrink-0 text-accent" />
              <span className="min-w-0 break-words">
                <span className="font-semibold">{title}</span>
                <span className="block text-sm text-muted">
                  {kind}, {formatSize(bytes)}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
