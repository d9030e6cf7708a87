import { Check, ListVideo, X } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { progressFigures } from '~/features/progress/course-progress'
import { secondsText } from '~/ui/format-duration'
import { IconButton } from '~/ui/icon-button'
import type { Linked } from '~/ui/more-link'
import { Notice } from '~/ui/notice'
import { ProgressBar } from '~/ui/progress-bar'
import { LessonCurriculum } from './lesson-curriculum'
import {
  certificateWays,
  everyLessonFinished,
  lessonsButton,
  lessonsDone,
  retiredLessons,
  whatCertificatesCount,
  whatCounts,
  whyPercent,
} from './lesson-messages'
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

type CourseProgressProps = {
  course: LessonPageData['course']
  sections: readonly SectionEntry[]
  /** Finished, but no longer in the curriculum. */
  retired: readonly RetiredLesson[]
}

/** Course progress, with the list of lessons that count. */
function CourseProgressPanel({ course, sections, retired }: CourseProgressProps) {
  const lessons = sections.flatMap((section) => section.lessons)
  const { percent, doneLessons, totalLessons } = progressFigures(lessons)
  return (
    <div>
      <p className="flex items-baseline justify-between gap-4">
        <span className="text-2xl font-bold tabular-nums">{percent}%</span>
        <span className="text-sm text-muted">{lessonsDone(doneLessons, totalLessons)}</span>
      </p>
      <ProgressBar percent={percent} label="Course progress" className="mt-2" />
      {percent === 100 && (
        <Notice look={course.certificate?.revoked ? 'warn' : 'good'} className="mt-3">
          <strong>{everyLessonFinished}</strong> <CertificateWay course={course} />
        </Notice>
      )}
      <ProgressReasons lessons={lessons} retired={retired} />
    </div>
  )
}

type Lessons = SectionEntry['lessons']

/** Why the course shows its percentage. */
function ProgressReasons({ lessons, retired }: { lessons: Lessons; retired: CourseProgressProps['retired'] }) {
  const { percent, doneSeconds, totalSeconds } = progressFigures(lessons)
  return (
    <details className="group mt-2">
      <summary className="inline-flex min-h-8 items-center text-sm font-semibold text-accent underline-offset-2 hover:underline">
        Why {percent}%?
      </summary>
      <div className="mt-2 rounded-control bg-sunken p-4 text-sm">
        <p>{whyPercent(doneSeconds, totalSeconds, percent)}</p>
        <CountedLessons lessons={lessons} />
        {retired.length > 0 && <p className="mt-3 text-muted">{retiredLessons(retired.map(({ title }) => title))}</p>}
        <p className="mt-3 text-muted">{whatCounts}</p>
        <p className="mt-3 text-muted">{whatCertificatesCount}</p>
      </div>
    </details>
  )
}

function CountedLessons({ lessons }: { lessons: Lessons }) {
  return (
    <table className="mt-3 w-full">
      <thead className="sr-only">
        <tr>
          <th scope="col">Lesson</th>
          <th scope="col">Length</th>
          <th scope="col">Done</th>
        </tr>
      </thead>
      <tbody>
        {lessons
          .filter((lesson) => lesson.kind !== 'announced')
          .map((lesson) => (
            <tr key={lesson.id} className="border-line border-t align-top">
              <td className="py-1.5 pr-2">{lesson.title}</td>
              <td className="py-1.5 pr-2 text-right text-muted tabular-nums whitespace-nowrap">
                {secondsText(lesson.durationSeconds)}
              </td>
              <td className="w-6 py-1.5 text-right">
                {lesson.done ? (
                  <>
                    <Check aria-hidden="true" size={16} className="inline text-good" />
                    <span className="sr-only">Yes</span>
                  </>
                ) : (
                  <span className="text-muted">No</span>
                )}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

/** The remaining steps to the certificate. */
function CertificateWay({ course: { id, certificate, certificateWaits } }: Pick<CourseProgressProps, 'course'>) {
  if (certificate?.revoked) return certificateWays.revoked(wayTo(`/Certificate/${certificate.id}`))
  if (certificate) return certificateWays.issued(wayTo(`/Certificate/${certificate.id}`))
  if (certificateWaits) return certificateWays.unconfirmed(wayTo('/ConfirmEmail'))
  return certificateWays.exam(wayTo(`/Exam/${id}`))
}

function wayTo(to: string): Linked {
  return (words) => (
    <Link to={to} className="font-semibold underline underline-offset-2">
      {words}
    </Link>
  )
}
