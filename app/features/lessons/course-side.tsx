import { ListVideo, X } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { IconButton } from '~/ui/icon-button'
import { CourseProgressPanel } from './course-progress-panel'
import { LessonCurriculum } from './lesson-curriculum'
import { lessonsButton } from './lesson-messages'
import type { LessonEntry, LessonPageData, RetiredLesson, SectionEntry } from './lesson-page-data'

/** On a phone the course folds away behind this button; a popover opens and closes without a script. */
export function LessonsButton({ lessons }: { lessons: readonly LessonEntry[] }) {
  const counting = lessons.filter((lesson) => lesson.kind !== 'announced')
  return (
    <button
      type="button"
      popoverTarget="lessons"
      className="inline-flex min-h-11 items-center gap-2 rounded-control border border-edge bg-surface px-4 font-semibold lg:hidden print:hidden"
    >
      <ListVideo aria-hidden="true" size={19} />
      {lessonsButton(counting.filter((lesson) => lesson.done).length, counting.length)}
    </button>
  )
}

type CourseSideProps = {
  course: LessonPageData['course']
  openId: string
  sections: readonly SectionEntry[]
  retired: readonly RetiredLesson[]
}

/** The course at the side, or over the lesson where `LessonsButton` opened it. */
export const CourseSide = memo(function CourseSide(props: CourseSideProps) {
  const side = useRef<HTMLElement>(null)
  const { openId } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: another lesson was chosen.
  useEffect(() => {
    if (side.current?.matches(':popover-open')) side.current.hidePopover()
  }, [openId])
  return (
    <aside
      ref={side}
      id="lessons"
      popover="auto"
      aria-label="Course lessons"
      className="inset-x-0 top-16 bottom-0 m-0 h-auto max-h-none w-full max-w-full overflow-y-auto border-0 bg-canvas p-5 text-ink lg:sticky lg:inset-x-auto lg:top-16.25 lg:bottom-auto lg:col-start-2 lg:row-span-3 lg:row-start-2 lg:block lg:h-[calc(100dvh-4.0625rem)] lg:border-line lg:border-l lg:in-data-[side=none]:hidden lg:in-data-[side=tools]:hidden print:hidden"
    >
      <div className="mb-3 flex items-center justify-between lg:hidden">
        <h2 className="text-lg font-bold">Lessons</h2>
        <IconButton label="Close the lesson list" popoverTarget="lessons" popoverTargetAction="hide">
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <h2 className="sr-only max-lg:hidden">Your progress and lessons</h2>
      <CourseProgressPanel course={props.course} sections={props.sections} retired={props.retired} />
      <div className="mt-6">
        <LessonCurriculum courseId={props.course.id} openId={props.openId} sections={props.sections} />
      </div>
    </aside>
  )
})
