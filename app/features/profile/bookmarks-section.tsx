import { Bookmark } from 'lucide-react'
import { Link } from 'react-router'
import type { BookmarkedLesson } from './learner-record'
import { noBookmarks } from './profile-messages'
import { SavedList } from './saved-list'

/** Bookmarked lessons of all courses on the profile; taken away where they are set, in the lesson. */
export function BookmarksSection({ lessons }: { lessons: readonly BookmarkedLesson[] }) {
  return (
    <SavedList id="bookmarks" title="Bookmarked lessons" icon={Bookmark} empty={noBookmarks}>
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
    </SavedList>
  )
}
