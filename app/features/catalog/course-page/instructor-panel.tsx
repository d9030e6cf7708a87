import { Avatar } from '~/ui/avatar'
import { formatCount } from '~/ui/format-count'
import { MoreLink } from '~/ui/more-link'
import { PanelHeading } from '~/ui/panel-heading'
import { Stars } from '~/ui/stars'
import { addressOfQuery, everything } from '../search/catalog-query'
import type { CourseDetail } from './course-queries.server'

export function InstructorPanel({ instructor }: { instructor: CourseDetail['instructor'] }) {
  return (
    <div>
      <div className="flex flex-wrap items-center gap-5">
        <Avatar src={portraitOf(instructor.image)} name={instructor.name} size={96} />
        <div>
          <PanelHeading>{instructor.name}</PanelHeading>
          <p className="mt-1 text-lg text-muted">{instructor.title}</p>
        </div>
      </div>
      <dl className="mt-8 grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2 xl:grid-cols-4">
        {instructor.rating !== undefined && (
          <Fact name="Rating">
            <span className="inline-flex items-center gap-2">
              {instructor.rating.toFixed(1)} <Stars rating={instructor.rating} />
            </span>
          </Fact>
        )}
        {instructor.students !== undefined && (
          <Fact name="Students">{formatCount(instructor.students, 'student', 'students')}</Fact>
        )}
        {instructor.courses !== undefined && (
          <Fact name="Courses">{formatCount(instructor.courses, 'course', 'courses')}</Fact>
        )}
        <Fact name="Experience">{instructor.experience}</Fact>
      </dl>
      <p className="mt-8 max-w-[68ch] text-[1.0625rem] leading-relaxed">{instructor.bio}</p>
      <p className="mt-6">
        <MoreLink
          to={addressOfInstructor(instructor.name)}
        >{`All courses by ${instructor.name}`}</MoreLink>
      </p>
    </div>
  )
}

/**
 * All of an instructor's courses: by a search, as the filter alone leaves out a course outside the
 * catalog.
 */
export function addressOfInstructor(name: string): string {
  return addressOfQuery({ ...everything, q: name, instructor: [name] })
}

/** @param image base name of a portrait in `content/instructors/`. */
export function portraitOf(image: string): string {
  return `/media/instructors/${image}.webp`
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="bg-surface px-5 py-4">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-1 font-semibold leading-snug">{children}</dd>
    </div>
  )
}
