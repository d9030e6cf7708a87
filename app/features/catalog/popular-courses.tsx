import { MoreLink } from '~/ui/more-link'
import { CourseShelf, type ShelfProps } from './course-shelf'

/** What most people learn, for the home page. */
export function PopularCourses({ courses, news }: ShelfProps) {
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
        <MoreLink to="/AllCourses">Browse all courses</MoreLink>
      </div>
      <CourseShelf courses={courses} news={news} />
    </section>
  )
}
