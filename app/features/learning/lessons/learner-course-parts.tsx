/**
 * The parts of a course page that only a learner of the course sees.
 *
 * Their code is loaded on demand, so that only these learners download it. Until the code and the
 * learner's progress have arrived, each part displays its placeholder or nothing.
 */
import { type ComponentProps, Suspense } from 'react'
import { LessonsPlaceholder } from '~/features/catalog/course-page/course-page'
import { lazyComponent } from '~/ui/lazy-component'

const importLearnerComponents = () => import('./learner-course-progress')
const ContinueButton = lazyComponent(() =>
  importLearnerComponents().then((module) => module.ContinueButton),
)
const CourseProgressLine = lazyComponent(() =>
  importLearnerComponents().then((module) => module.CourseProgressLine),
)
const LearnerCurriculum = lazyComponent(() =>
  importLearnerComponents().then((module) => module.LearnerCurriculum),
)

type LearnerCurriculumProps = ComponentProps<typeof LearnerCurriculum>

/** The progress is null until the viewer's data has arrived. */
export type LearnerProgress = LearnerCurriculumProps['progress'] | null

type LearnerLessonsProps = {
  sections: LearnerCurriculumProps['sections']
  progress: LearnerProgress
}

export function LearnerLessons({ sections, progress }: LearnerLessonsProps) {
  return (
    <Suspense fallback={<LessonsPlaceholder />}>
      {progress ? (
        <LearnerCurriculum sections={sections} progress={progress} />
      ) : (
        <LessonsPlaceholder />
      )}
    </Suspense>
  )
}

/** Leads a learner to their next lesson. */
export function LearnerContinueButton({ progress }: { progress: LearnerProgress }) {
  return <Suspense fallback={null}>{progress && <ContinueButton progress={progress} />}</Suspense>
}

export function LearnerProgressLine({ progress }: { progress: LearnerProgress }) {
  return (
    <Suspense fallback={null}>{progress && <CourseProgressLine progress={progress} />}</Suspense>
  )
}
