import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useNavigation } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { countText } from '~/ui/count-text'
import { EmptyState } from '~/ui/empty-state'
import { CourseCard } from './course-card'
import { FilterForm } from './filter-form'
import { type CatalogueQuery, isNarrowed } from './search/catalogue-query'
import type { CatalogueCourse, CatalogueResult } from './search/catalogue-result'

const everything = '/AllCourses'

type CataloguePageProps = {
  query: CatalogueQuery
  result: CatalogueResult
  /** A small button on each card; the route decides it. */
  corner(course: CatalogueCourse): ReactNode
}

export function CataloguePage({ query, result: { courses, total }, corner }: CataloguePageProps) {
  const { location } = useNavigation()
  const pending = location?.pathname === everything
  return (
    <div className="column pt-10 md:pt-14">
      <h1 className="title">All courses</h1>
      <p className="mt-3 mb-8 max-w-2xl text-lg text-muted">
        Structured courses, from the first lesson to the final exam. Find the one that fits where you are now.
      </p>
      <FilterForm filters={{ search: query.q, category: query.category, level: query.level }} pending={pending} />
      <div className="mt-8 mb-5 flex min-h-11 flex-wrap items-center justify-between gap-x-6">
        <p role="status" className="font-semibold">
          Showing {countText(total, 'course')}
        </p>
        {isNarrowed(query) && courses.length > 0 && (
          <Link
            to={everything}
            preventScrollReset
            className="inline-flex min-h-11 items-center font-semibold text-accent hover:underline"
          >
            Clear filters
          </Link>
        )}
      </div>
      <div aria-busy={pending} className={`transition-opacity duration-150 ${pending ? 'opacity-60' : ''}`}>
        {courses.length > 0 ? <CourseGrid courses={courses} corner={corner} /> : <NoCourses />}
      </div>
    </div>
  )
}

function CourseGrid({ courses, corner }: { courses: CatalogueCourse[] } & Pick<CataloguePageProps, 'corner'>) {
  return (
    <ul className="grid grid-cols-1 gap-6 sm:grid-cols-2 lg:grid-cols-3">
      {courses.map((course, index) => (
        <li key={course.id}>
          <CourseCard course={course} position={index} corner={corner(course)} />
        </li>
      ))}
    </ul>
  )
}

function NoCourses() {
  return (
    <EmptyState
      icon={<SearchX size={26} />}
      title="No courses found"
      action={
        <ButtonLink to={everything} preventScrollReset look="secondary">
          Clear filters
        </ButtonLink>
      }
    >
      Try adjusting your search terms or filters
    </EmptyState>
  )
}
