import {
  BarChart3,
  CalendarDays,
  Check,
  Clock,
  Languages,
  type LucideIcon,
  Users,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { ReviewsPanel, type ReviewsPanelProps } from '~/features/reviews/reviews-panel'
import { Avatar } from '~/ui/avatar'
import { formatCount } from '~/ui/format-count'
import { formatLongDate } from '~/ui/format-date'
import { formatHours } from '~/ui/format-duration'
import { MoreLink } from '~/ui/more-link'
import { PanelHeading } from '~/ui/panel-heading'
import { Stars } from '~/ui/stars'
import { catalogUrl, emptyCatalogQuery } from '../search/catalog-query'
import { levelNames } from '../search/facets'
import type { CourseDetail, CourseLesson } from './course-queries.server'
import { CourseTabs, courseTabUrl, panelId } from './course-tabs'
import { CurriculumPanel } from './curriculum-panel'
import { PreviewDialog } from './preview-dialog'
import {
  type EnrollmentSlots,
  hiddenForLearners,
  PreviewEnrollment,
  PurchaseCard,
} from './purchase-card'

type CoursePageProps = {
  course: CourseDetail
  enrollment: EnrollmentSlots
  /**
   * The lessons of a learner of the course, whose page opens with them. Empty for everyone else.
   */
  lessons: ReactNode
  reviews: Omit<ReviewsPanelProps, 'course'>
}

/**
 * The page that sells a course. For learners of the course, the same page starts with their lessons
 * instead. CSS hides what they don't need by the attributes of `EnrollmentAttributes`.
 */
export function CoursePage({ course, enrollment, lessons, reviews }: CoursePageProps) {
  const [previewLesson, setPreviewLesson] = useState<CourseLesson | null>(null)

  return (
    <div className="column flex flex-col gap-6 max-lg:pt-6 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr] lg:gap-x-10 xl:gap-x-14 lg:gap-y-0">
      {/* On a phone, the cover stands above this element, but comes later in the HTML. The margin keeps room for it. */}
      <div className="order-1 max-lg:not-[:has(~*_div)]:mt-[calc(56.25%+1.5rem)] max-lg:in-data-[learner=true]:mt-0!">
        <CourseHero course={course} />
      </div>
      <div className="contents lg:relative lg:z-10 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:block lg:pt-12">
        <PurchaseCard course={course} enrollment={enrollment} onPreview={setPreviewLesson} />
      </div>
      <div className="relative order-4 min-w-0 lg:pt-6">
        <div className="absolute inset-x-0 top-20 hidden lg:top-26 in-data-[lessons-pending=true]:block">
          <LessonsPlaceholder />
        </div>
        <div className="in-data-[lessons-pending=true]:invisible">
          <CourseTabs
            defaultTab={lessons ? 'curriculum' : 'overview'}
            panels={{
              overview: <OverviewPanel course={course} />,
              curriculum: lessons || (
                <CurriculumPanel course={course} onPreview={setPreviewLesson} />
              ),
              instructor: <InstructorPanel instructor={course.instructor} />,
              reviews: <ReviewsPanel course={course} {...reviews} />,
            }}
          />
        </div>
      </div>
      {previewLesson && (
        <PreviewDialog
          lesson={previewLesson}
          enrollment={<PreviewEnrollment course={course} enrollment={enrollment} />}
          onClose={() => setPreviewLesson(null)}
        />
      )}
    </div>
  )
}

/**
 * Stands in for a learner's lessons until they have arrived. It is as high as the screen, so that
 * nothing visible moves when they arrive.
 */
export function LessonsPlaceholder() {
  return (
    <div aria-hidden="true" className="min-h-dvh">
      <div className="card divide-y divide-line overflow-hidden">
        {[1, 2, 3, 4].map((row) => (
          <div key={row} className="flex h-18 items-center gap-4 px-4 sm:px-6">
            <span className="size-6.5 rounded-full bg-sunken" />
            <span className="h-4 w-1/2 rounded-control bg-sunken" />
          </div>
        ))}
      </div>
    </div>
  )
}

const quietLinkStyle =
  'inline-flex min-h-6 items-center font-medium underline-offset-4 hover:underline'

/** The course's title, with what a visitor wants to know first. */
export function CourseHero({ course }: { course: CourseDetail }) {
  const categoryUrl = catalogUrl({ ...emptyCatalogQuery, category: course.category })

  return (
    <header className="lg:full-bleed lg:pt-12 lg:pr-4 lg:pb-14 lg:in-data-[learner=true]:pb-8">
      <nav aria-label="Breadcrumb">
        <ol className="flex flex-wrap gap-x-2 text-muted">
          <li>
            <Link to="/AllCourses" className={quietLinkStyle}>
              All courses
            </Link>
          </li>
          <li className="flex gap-2 before:content-['/']">
            <Link to={categoryUrl} className={`${quietLinkStyle} text-accent`}>
              {course.categoryName}
            </Link>
          </li>
        </ol>
      </nav>
      <h1 className="mt-4 text-[clamp(2rem,1.5rem+2.4vw,3.25rem)] leading-[1.08] font-[750] tracking-[-0.03em] in-data-[learner=true]:text-[clamp(1.75rem,1.4rem+1.5vw,2.5rem)]">
        {course.title}
      </h1>
      <p className={`mt-4 max-w-[52ch] text-lg text-muted md:text-xl ${hiddenForLearners}`}>
        {course.subtitle}
      </p>
      <p
        className={`mt-5 flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden ${hiddenForLearners}`}
      >
        {course.reviews > 0 && (
          <span className="inline-flex items-center gap-2">
            <span className="font-bold">{course.rating.toFixed(1)}</span>
            <Stars rating={course.rating} />
            <Link
              to={`${courseTabUrl('reviews', 'overview')}#${panelId('reviews')}`}
              className={`${quietLinkStyle} text-muted`}
            >
              ({formatCount(course.reviews, 'review', 'reviews')})
            </Link>
          </span>
        )}
        {course.students > 0 && (
          <CourseFeature icon={Users}>
            {formatCount(course.students, 'student', 'students')}
          </CourseFeature>
        )}
      </p>
      <p className="mt-5 flex items-center gap-3">
        <Avatar src={portraitUrl(course.instructor.image)} name={course.instructor.name} />
        <span className="leading-snug">
          <Link
            to={instructorCoursesUrl(course.instructor.name)}
            className={`${quietLinkStyle} font-semibold`}
          >
            {course.instructor.name}
          </Link>
          <span className="block text-sm text-muted">{course.instructor.title}</span>
        </span>
      </p>
      <ul className={`mt-6 flex flex-wrap gap-x-6 gap-y-2 text-[0.9375rem] ${hiddenForLearners}`}>
        <li>
          <CourseFeature icon={BarChart3}>{levelNames[course.level]}</CourseFeature>
        </li>
        <li>
          <CourseFeature icon={Clock}>{formatHours(course.durationHours)}</CourseFeature>
        </li>
        <li>
          <CourseFeature icon={Languages}>{course.language}</CourseFeature>
        </li>
        <li>
          <CourseFeature icon={CalendarDays}>
            Last updated {formatLongDate(course.lastUpdated)}
          </CourseFeature>
        </li>
      </ul>
    </header>
  )
}

function CourseFeature({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-2">
      <Icon aria-hidden="true" size={17} className="shrink-0 text-muted" />
      <span>{children}</span>
    </span>
  )
}

function OverviewPanel({ course }: { course: CourseDetail }) {
  return (
    <div className="space-y-12">
      {course.whatYouLearn.length > 0 && (
        <div className="card p-6 md:p-8">
          <PanelHeading>What you will learn</PanelHeading>
          <ul className="mt-5 grid gap-x-8 gap-y-3 sm:max-lg:grid-cols-2 xl:grid-cols-2">
            {course.whatYouLearn.map((outcome) => (
              <li key={outcome} className="flex gap-3">
                <Check aria-hidden="true" size={18} className="mt-1 shrink-0 text-good" />
                <span className="min-w-0">{outcome}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <OverviewSection title="About this course">
        <div className="mt-4 max-w-[68ch] space-y-4 text-[1.0625rem] leading-relaxed">
          {course.description.split(/\n\s*\n/).map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </OverviewSection>
      {course.skills.length > 0 && (
        <OverviewSection title="Skills you will gain">
          <ul className="mt-4 flex flex-wrap gap-2">
            {course.skills.map((skill) => (
              <li
                key={skill}
                className="max-w-full rounded-full border border-line bg-surface px-4 py-1.5 font-medium text-[0.9375rem]"
              >
                {skill}
              </li>
            ))}
          </ul>
        </OverviewSection>
      )}
      {course.requirements.length > 0 && (
        <OverviewSection title="Requirements">
          <ul className="mt-4 max-w-[68ch] list-disc space-y-2 pl-5 marker:text-muted">
            {course.requirements.map((requirement) => (
              <li key={requirement} className="pl-1">
                {requirement}
              </li>
            ))}
          </ul>
        </OverviewSection>
      )}
    </div>
  )
}

function OverviewSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <PanelHeading>{title}</PanelHeading>
      {children}
    </div>
  )
}

function InstructorPanel({ instructor }: { instructor: CourseDetail['instructor'] }) {
  return (
    <div>
      <div className="flex flex-wrap items-center gap-5">
        <Avatar src={portraitUrl(instructor.image)} name={instructor.name} size={96} />
        <div>
          <PanelHeading>{instructor.name}</PanelHeading>
          <p className="mt-1 text-lg text-muted">{instructor.title}</p>
        </div>
      </div>
      <dl className="mt-8 grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2 xl:grid-cols-4">
        {instructor.rating !== undefined && (
          <InstructorDetail name="Rating">
            <span className="inline-flex items-center gap-2">
              {instructor.rating.toFixed(1)} <Stars rating={instructor.rating} />
            </span>
          </InstructorDetail>
        )}
        {instructor.students !== undefined && (
          <InstructorDetail name="Students">
            {formatCount(instructor.students, 'student', 'students')}
          </InstructorDetail>
        )}
        {instructor.courses !== undefined && (
          <InstructorDetail name="Courses">
            {formatCount(instructor.courses, 'course', 'courses')}
          </InstructorDetail>
        )}
        <InstructorDetail name="Experience">{instructor.experience}</InstructorDetail>
      </dl>
      <p className="mt-8 max-w-[68ch] text-[1.0625rem] leading-relaxed">{instructor.bio}</p>
      <p className="mt-6">
        <MoreLink
          to={instructorCoursesUrl(instructor.name)}
        >{`All courses by ${instructor.name}`}</MoreLink>
      </p>
    </div>
  )
}

/**
 * Returns the URL of all of an instructor's courses. The search by name also finds the sample
 * course, which the filter alone leaves out because it isn't in the catalog.
 */
function instructorCoursesUrl(name: string): string {
  return catalogUrl({ ...emptyCatalogQuery, q: name, instructor: [name] })
}

/** @param image the base name of a portrait in `content/instructors/` */
function portraitUrl(image: string): string {
  return `/media/instructors/${image}.webp`
}

function InstructorDetail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="bg-surface px-5 py-4">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-1 font-semibold leading-snug">{children}</dd>
    </div>
  )
}
