import { BarChart3, CalendarDays, Clock, Languages, type LucideIcon, Users } from 'lucide-react'
import { Link } from 'react-router'
import { Avatar } from '~/ui/avatar'
import { formatCount } from '~/ui/format-count'
import { formatLongDate } from '~/ui/format-date'
import { formatHours } from '~/ui/format-duration'
import { Stars } from '~/ui/stars'
import { levelNames } from '../course-filters'
import { addressOfQuery, everything } from '../search/catalog-query'
import type { CourseDetail } from './course-queries.server'
import { addressOfTab, panelId } from './course-tabs'
import { addressOfInstructor, portraitOf } from './instructor-panel'

const quietLink = 'inline-flex min-h-6 items-center font-medium underline-offset-4 hover:underline'

/** A learner of the course has decided. */
const forOthers = 'in-data-[learner=true]:hidden'

/** The course's name and the facts by which a learner decides to read on. */
export function CourseHero({ course }: { course: CourseDetail }) {
  const category = addressOfQuery({ ...everything, category: course.category })
  return (
    <header className="lg:full-bleed lg:pt-12 lg:pr-4 lg:pb-14 lg:in-data-[learner=true]:pb-8">
      <nav aria-label="Breadcrumb">
        <ol className="flex flex-wrap gap-x-2 text-muted">
          <li>
            <Link to="/AllCourses" className={quietLink}>
              All courses
            </Link>
          </li>
          <li className="flex gap-2 before:content-['/']">
            <Link to={category} className={`${quietLink} text-accent`}>
              {course.categoryName}
            </Link>
          </li>
        </ol>
      </nav>
      <h1 className="mt-4 text-[clamp(2rem,1.5rem+2.4vw,3.25rem)] leading-[1.08] font-[750] tracking-[-0.03em] in-data-[learner=true]:text-[clamp(1.75rem,1.4rem+1.5vw,2.5rem)]">
        {course.title}
      </h1>
      <p className={`mt-4 max-w-[52ch] text-lg text-muted md:text-xl ${forOthers}`}>
        {course.subtitle}
      </p>
      <p className={`mt-5 flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden ${forOthers}`}>
        {course.reviews > 0 && (
          <span className="inline-flex items-center gap-2">
            <span className="font-bold">{course.rating.toFixed(1)}</span>
            <Stars rating={course.rating} />
            <Link
              to={`${addressOfTab('reviews', 'overview')}#${panelId('reviews')}`}
              className={`${quietLink} text-muted`}
            >
              ({formatCount(course.reviews, 'review', 'reviews')})
            </Link>
          </span>
        )}
        {course.students > 0 && (
          <Fact icon={Users}>{formatCount(course.students, 'student', 'students')}</Fact>
        )}
      </p>
      <p className="mt-5 flex items-center gap-3">
        <Avatar src={portraitOf(course.instructor.image)} name={course.instructor.name} />
        <span className="leading-snug">
          <Link
            to={addressOfInstructor(course.instructor.name)}
            className={`${quietLink} font-semibold`}
          >
            {course.instructor.name}
          </Link>
          <span className="block text-sm text-muted">{course.instructor.title}</span>
        </span>
      </p>
      <ul className={`mt-6 flex flex-wrap gap-x-6 gap-y-2 text-[0.9375rem] ${forOthers}`}>
        <li>
          <Fact icon={BarChart3}>{levelNames[course.level]}</Fact>
        </li>
        <li>
          <Fact icon={Clock}>{formatHours(course.durationHours)}</Fact>
        </li>
        <li>
          <Fact icon={Languages}>{course.language}</Fact>
        </li>
        <li>
          <Fact icon={CalendarDays}>Last updated {formatLongDate(course.lastUpdated)}</Fact>
        </li>
      </ul>
    </header>
  )
}

function Fact({ icon: Icon, children }: { icon: LucideIcon; children: React.ReactNode }) {
  return (
    <span className="inline-flex items-center gap-2">
      <Icon aria-hidden="true" size={17} className="shrink-0 text-muted" />
      <span>{children}</span>
    </span>
  )
}
