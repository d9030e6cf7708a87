import { Check } from 'lucide-react'
import { type ReactNode, type Ref, useCallback, useEffect, useRef, useState } from 'react'
import { hasMaterial } from '~/features/courses/lessons/lesson-kinds'
import { CelebrationCard } from '~/ui/celebration-card'
import { useOnline } from '~/ui/connection'
import { Notice } from '~/ui/notice'
import { useHydrated } from '~/ui/use-hydrated'
import type { LessonProgress } from '../progress/lesson-progress'
import { useLessonVisit, useStudyTime } from '../report/use-lesson-visit'
import type { LessonMaterial } from './kinds/lesson-materials.server'
import { isLessonEarned, lessonRules } from './kinds/lesson-rules'
import { lessonViews } from './kinds/lesson-views'
import { createPlaybackTime } from './kinds/video/transcript-panel'
import type { PlayerHandle } from './kinds/video/video-player'
import { LessonActions } from './lesson-actions'
import { LessonDownloads } from './lesson-downloads'
import { PageLearner } from './lesson-form'
import { LessonHeading } from './lesson-heading'
import { lessonOffline, lessonRetired, nextStepNotice, withoutScripts } from './lesson-messages'
import type { LessonPageData, OpenLesson } from './lesson-page-data'
import { LessonPanel } from './lesson-panel'
import { addressOf, neighbor, nextStep } from './next-step'
import { useGoOn } from './use-go-on'

export type LessonPageProps = {
  page: LessonPageData
  material: LessonMaterial
  visit: { uid: string; openedAt: number; lengthMs: number; signature: string }
  /** Seconds to start at, when a link asks for it. */
  at: number | null
  /** The video plays by itself, because the learner came by a link to it. */
  plays: boolean
  heading: Ref<HTMLHeadingElement>
  /** The way back to the course's exam, while it runs. */
  exam: ReactNode
  /** The lesson became done, or is no longer. */
  onDone(lessonId: string, done: boolean): void
}

/** The screen of one lesson; mounted anew for another one. */
export function LessonPage(props: LessonPageProps) {
  const { page, material, visit, at, plays, heading, exam, onDone } = props
  const { course, sections, lesson } = page
  const { Lesson, getTranscript } = lessonViews[lesson.kind]
  const player = useRef<PlayerHandle>(null)
  const [time] = useState(createPlaybackTime)
  const onSeek = useCallback((to: number) => player.current?.seek(to), [])
  const { reporter, clock, status, work, done } = useLessonVisit({
    visit,
    courseId: course.id,
    lesson,
  })

  useStudyTime(reporter, clock, player, hasMaterial(lesson))
  useEffect(() => onDone(lesson.id, done), [lesson.id, done, onDone])
  const [doneBefore] = useState(done)
  const lessons = sections.flatMap((section) => section.lessons)
  const step = nextStep(lessons, lesson.id, course)
  const goOn = useGoOn(addressOf(step, course.id))
  const mark = useMarkButton(lesson, work, done)
  const isFinished = lessonRules[lesson.kind].isFinishedByMark || isLessonEarned(lesson, work)
  const isFinishedInVisit = done && !doneBefore && isFinished

  return (
    <PageLearner value={visit.uid}>
      <div
        data-lesson
        className="flex flex-col lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr_auto]"
      >
        <LessonHeading
          page={page}
          lessons={lessons}
          status={status}
          heading={heading}
          exam={exam}
        />
        <div className="min-w-0 lg:col-start-1 lg:pb-8">
          <LessonNotices retired={lesson.retired} />
          <Lesson
            material={material}
            ref={player}
            courseId={course.id}
            lesson={lesson}
            progress={work}
            isDone={done}
            startSeconds={at}
            shouldPlay={plays}
            nextStep={step}
            goOn={goOn}
            lessons={lessons}
            reporter={reporter}
            onTime={time.tell}
          />
          <div className={`${readable} flex flex-col gap-6 pt-6 empty:hidden print:hidden`}>
            {isFinishedInVisit && 'lesson' in step && (
              <CelebrationCard icon={<Check size={28} />} {...nextStepNotice(step)} />
            )}
            <LessonDownloads courseId={course.id} lesson={lesson} />
          </div>
        </div>
        <LessonActions
          courseId={course.id}
          previous={neighbor(lessons, lesson.id, -1)}
          step={step}
          goOn={goOn}
          done={done}
          mark={mark}
          onMark={(value) => reporter.recordMark(value)}
          bookmarked={lessons.some((entry) => entry.id === lesson.id && entry.bookmarked)}
        />
        <LessonPanel page={page} cues={getTranscript(material)} time={time} onSeek={onSeek} />
      </div>
    </PageLearner>
  )
}

/** A readable line length. */
const readable = 'mx-auto w-full min-w-0 max-w-4xl px-[clamp(1rem,4vw,2.5rem)]'

/** Returns what the button "Mark as done" looks like, or null if the lesson can't be marked. */
function useMarkButton(lesson: OpenLesson, progress: LessonProgress, isDone: boolean) {
  const isHydrated = useHydrated()
  if (!hasMaterial(lesson)) {
    return null
  }

  const { canBeMarkedDone, texts } = lessonRules[lesson.kind]
  // Without JavaScript, nothing tells whether an article was read to its end.
  const mustFinishFirst = isHydrated && !isDone && !canBeMarkedDone(progress)
  if (mustFinishFirst) {
    return { note: texts.cannotBeMarkedYet, disabled: true }
  }

  // A lesson that is done without a mark was earned before, perhaps with other material.
  const isEarned = isLessonEarned(lesson, progress) || (isDone && !progress.mark)
  const isMarkEnough = isEarned || lesson.retired

  return { note: isMarkEnough ? null : texts.markIsNotEnough, disabled: false }
}

function LessonNotices({ retired }: { retired: boolean }) {
  const online = useOnline()
  return (
    <>
      <div role="status">
        {!online && (
          <Notice variant="warn" className={`${readable} my-3 print:hidden`}>
            {lessonOffline}
          </Notice>
        )}
      </div>
      <Notice variant="warn" className={`${readable} my-3 hidden noscript:block print:hidden`}>
        {withoutScripts}
      </Notice>
      {retired && (
        <Notice variant="info" className={`${readable} my-3 print:hidden`}>
          {lessonRetired}
        </Notice>
      )}
    </>
  )
}
