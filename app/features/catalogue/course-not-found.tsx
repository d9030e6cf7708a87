import { ButtonLink } from '~/ui/button'

export function CourseNotFound() {
  return (
    <div className="column py-24 text-center">
      <p className="eyebrow">404</p>
      <h1 className="title mt-3">Course not found</h1>
      <p className="mx-auto mt-4 max-w-lg text-lg text-muted">
        No course has this address. It may have been mistyped, or the course is no longer offered.
      </p>
      <ButtonLink to="/AllCourses" className="mt-8">
        See all courses
      </ButtonLink>
    </div>
  )
}
