import { useState } from 'react'
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
  reviews: Omit<ReviewsPanelProps, 'course'>
}

export function CoursePage({ course, enrollment, reviews }: CoursePageProps) {
  const [lesson, setLesson] = useState<CourseLesson | null>(null)
  return (
    <div className="column flex flex-col gap-6 max-lg:pt-6 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr] lg:gap-x-10 xl:gap-x-14 lg:gap-y-0">
      {/* A phone shows the cover above, which comes later: until then there is room for it. */}
      <div className="order-1 max-lg:not-[:has(~*_div)]:mt-[calc(56.25%+1.5rem)]">
        <CourseHero course={course} />
      </div>
      <div className="contents lg:relative lg:z-10 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:block lg:pt-12">
        <PurchaseCard course={course} enrollment={enrollment} onPreview={setLesson} />
      </div>
      <div className="order-4 min-w-0 lg:pt-6">
        <CourseTabs
          panels={{
            overview: <OverviewPanel course={course} />,
            curriculum: <CurriculumPanel course={course} done={enrollment.learner?.done} onPreview={setLesson} />,
            instructor: <InstructorPanel instructor={course.instructor} />,
            reviews: <ReviewsPanel course={course} {...reviews} />,
          }}
        />
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
