import { type ReactNode, useState } from 'react'
import { ReviewsPanel, type ReviewsPanelProps } from '~/features/reviews/reviews-panel'
import { CourseHero } from './course-hero'
import type { CourseDetail, CourseLesson } from './course-queries.server'
import { CourseTabs } from './course-tabs'
import { CurriculumPanel } from './curriculum-panel'
import { InstructorPanel } from './instructor-panel'
import { OverviewPanel } from './overview-panel'
import { PreviewDialog } from './preview-dialog'
import { type EnrollmentSlots, PreviewEnrollment, PurchaseCard } from './purchase-card'

type CoursePageProps = {
  course: CourseDetail
  enrollment: EnrollmentSlots
  /** The lessons of a learner of the course, whose page opens with them; null for everyone else. */
  lessons: ReactNode
  reviews: Omit<ReviewsPanelProps, 'course'>
}

/**
 * The page that sells a course. For its learners the same page leads with their lessons instead:
 * see `EnrollmentMark`.
 */
export function CoursePage({ course, enrollment, lessons, reviews }: CoursePageProps) {
  const [lesson, setLesson] = useState<CourseLesson | null>(null)
  return (
    <div className="column flex flex-col gap-6 max-lg:pt-6 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr] lg:gap-x-10 xl:gap-x-14 lg:gap-y-0">
      {/* A phone shows the cover above, which comes later: until then there is room for it. */}
      <div className="order-1 max-lg:not-[:has(~*_div)]:mt-[calc(56.25%+1.5rem)] max-lg:in-data-[learner=true]:mt-0!">
        <CourseHero course={course} />
      </div>
      <div className="contents lg:relative lg:z-10 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:block lg:pt-12">
        <PurchaseCard course={course} enrollment={enrollment} onPreview={setLesson} />
      </div>
      <div className="relative order-4 min-w-0 lg:pt-6">
        <div className="absolute inset-x-0 top-20 hidden lg:top-26 in-data-[early=true]:block">
          <LessonsPlaceholder />
        </div>
        <div className="in-data-[early=true]:invisible">
          <CourseTabs
            first={lessons ? 'curriculum' : 'overview'}
            panels={{
              overview: <OverviewPanel course={course} />,
              curriculum: lessons || <CurriculumPanel course={course} onPreview={setLesson} />,
              instructor: <InstructorPanel instructor={course.instructor} />,
              reviews: <ReviewsPanel course={course} {...reviews} />,
            }}
          />
        </div>
      </div>
      {lesson && (
        <PreviewDialog
          lesson={lesson}
          enrollment={<PreviewEnrollment course={course} enrollment={enrollment} />}
          onClose={() => setLesson(null)}
        />
      )}
    </div>
  )
}

/**
 * Until a learner's lessons are there; as high as the screen, so that nothing below is seen to
 * move.
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
