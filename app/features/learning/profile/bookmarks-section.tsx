import { Bookmark } from 'lucide-react'
import { Link } from 'react-router'
import type { BookmarkedLesson } from './learner-record'

/** Bookmarked lessons of all courses on the profile; taken away where they are set, in the lesson. */
export function BookmarksSection({ lessons }: { lessons: readonly BookmarkedLesson[] }) {
  return (
    <section className="mt-10" aria-labelledby="bookmarks">
      <h2 id="bookmarks" className="mb-4 font-bold text-lg">
        Bookmarked lessons <span className="font-medium text-muted">{lessons.length}</span>
      </h2>
      {lessons.length === 0 ? (
        <p className="flex items-center gap-3 rounded-card border border-edge border-dashed p-5 text-muted">
          <Bookmark aria-hidden="true" size={20} className="shrink-0" />
          Lessons you bookmark will appear here.
        </p>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2">
          {lessons.map(({ courseId, lessonId, lesson, course }) => (
            <li key={`${courseId}/${lessonId}`} className="card relative flex items-start gap-3 p-4">
              <Bookmark aria-hidden="true" size={20} fill="currentColor" className="mt-0.5 shrink-0 text-accent" />
              <div className="min-w-0">
                <h3 className="font-bold leading-snug">
                  <Link to={`/Learn/${courseId}/${lessonId}`} className="after:absolute after:inset-0 hover:underline">
                    {lesson}
                  </Link>
                </h3>
                <p className="text-sm text-muted">{course}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
