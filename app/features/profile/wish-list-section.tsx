import { Heart } from 'lucide-react'
import { Link } from 'react-router'
import { WishButton } from '~/features/enrollment/wish-button'
import type { WishedCourse } from './learner-record'
import { noWishes } from './profile-messages'
import { SavedList } from './saved-list'

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
