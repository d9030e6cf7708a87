import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { CourseShelf } from './course-shelf'
import type { ShelfCourse } from './shelf-queries.server'

/** What most people learn, for the home page. */
export function PopularCourses({ courses }: { courses: ShelfCourse[] }) {
  if (courses.length === 0) return null
  return (
    <section aria-labelledby="popular-title" className="column pt-24 lg:pt-32">
      <div className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div>
          <p className="eyebrow">Popular</p>
          <h2 id="popular-title" className="title mt-3">
            What most people are learning
          </h2>
        </div>
        <Link
          to="/AllCourses"
          className="inline-flex min-h-11 items-center gap-2 rounded-control font-semibold text-accent hover:text-accent-strong hover:underline"
        >
          Browse all courses
          <ArrowRight aria-hidden="true" size={18} />
        </Link>
      </div>
      <CourseShelf courses={courses} />
    </section>
  )
}
