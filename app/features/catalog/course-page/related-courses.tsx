import { CourseShelf, type ShelfProps } from '../course-shelf'

/** How a course's page goes on. */
export function RelatedCourses({ courses, news }: ShelfProps) {
  if (courses.length === 0) return null
  return (
    <section aria-labelledby="related-title" className="column pt-20 lg:pt-28 print:hidden">
      <h2 id="related-title" className="mb-6 text-2xl font-bold">
        Related courses
      </h2>
      <CourseShelf courses={courses} news={news} />
    </section>
  )
}
