import { Heart } from 'lucide-react'
import { Link } from 'react-router'
import { WishButton, type Wishes } from '../enrollment/wish-button'
import type { WishedCourse } from './learner-record'

/** The wish list on the profile, under the current courses. */
export function WishListSection({ courses, wishes }: { courses: readonly WishedCourse[]; wishes: Wishes }) {
  return (
    <section className="mt-10" aria-labelledby="wish-list">
      <h2 id="wish-list" className="mb-4 font-bold text-lg">
        Wish list <span className="font-medium text-muted">{courses.length}</span>
      </h2>
      {courses.length === 0 ? (
        <p className="flex items-center gap-3 rounded-card border border-edge border-dashed p-5 text-muted">
          <Heart aria-hidden="true" size={20} className="shrink-0" />
          Courses you mark with a heart will appear here.
        </p>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2">
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
              <WishButton courseId={course.id} title={course.name} wishes={wishes} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
