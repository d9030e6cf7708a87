import { Bookmark, Heart, type LucideIcon } from 'lucide-react'
import { Children, type ReactNode } from 'react'
import { Link } from 'react-router'
import { WishButton } from '~/features/enrollment/wish-button'
import type { BookmarkedLesson, WishedCourse } from './learner-record'
import { noBookmarks, noWishes } from './profile-messages'

/** The wish list on the profile, under the current courses. */
export function WishListSection({ courses }: { courses: readonly WishedCourse[] }) {
  return (
    <SavedList id="wish-list" title="Wish list" icon={Heart} empty={noWishes}>
      {courses.map((course) => (
        <li key={course.id} className="card flex items-center gap-4 p-3">
          <img
            src={`/media/courses/${course.id}/cover.webp`}
            alt=""
            width={640}
            height={360}
            loading="lazy"
            className="aspect-video w-24 shrink-0 rounded-control bg-sunken object-cover"
          />
          <div className="min-w-0 flex-1">
            <h3 className="font-bold leading-snug">
              <Link to={`/OneCourse/${course.id}`} className="hover:underline">
                {course.name}
              </Link>
            </h3>
            <p className="text-sm text-muted">{course.instructor}</p>
          </div>
          <WishButton courseId={course.id} title={course.name} />
        </li>
      ))}
    </SavedList>
  )
}

/**
 * Bookmarked lessons of all courses on the profile; taken away where they are set, in the lesson.
 */
export function BookmarksSection({ lessons }: { lessons: readonly BookmarkedLesson[] }) {
  return (
    <SavedList id="bookmarks" title="Bookmarked lessons" icon={Bookmark} empty={noBookmarks}>
      {lessons.map(({ courseId, lessonId, lesson, course }) => (
        <li key={`${courseId}/${lessonId}`} className="card relative flex items-start gap-3 p-4">
          <Bookmark
            aria-hidden="true"
            size={20}
            fill="currentColor"
            className="mt-0.5 shrink-0 text-accent"
          />
          <div className="min-w-0">
            <h3 className="font-bold leading-snug">
              <Link
                to={`/Learn/${courseId}/${lessonId}`}
                className="after:absolute after:inset-0 hover:underline"
              >
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

type SavedListProps = {
  id: string
  title: string
  icon: LucideIcon
  empty: string
  children: ReactNode
}

/** A learner's saved items as a list, or a hint how to save one. */
function SavedList({ id, title, icon: Icon, empty, children }: SavedListProps) {
  const count = Children.count(children)
  return (
    <section className="mt-10" aria-labelledby={id}>
      <h2 id={id} className="mb-4 font-bold text-lg">
        {title} <span className="font-medium text-muted">{count}</span>
      </h2>
      {count === 0 ? (
        <p className="flex items-center gap-3 rounded-card border border-edge border-dashed p-5 text-muted">
          <Icon aria-hidden="true" size={20} className="shrink-0" />
          {empty}
        </p>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2">{children}</ul>
      )}
    </section>
  )
}
