import { Check } from 'lucide-react'
import { type ReactNode, type Ref, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigationType, useRevalidator, useSearchParams } from 'react-router'
import { hasMaterial } from '~/features/courses/lessons/lesson-kinds'
import { summarizeProgress } from '~/features/enrollment/course-progress'
import { CelebrationCard } from '~/ui/celebration-card'
import { useOnline } from '~/ui/connection'
import { useHydrated } from '~/ui/hooks'
import { Notice } from '~/ui/notice'
import type { LessonProgress } from '../progress/lesson-progress'
import type { LessonVisit } from '../report/progress-reporter'
import { onPossibleReward } from '../report/progress-reports'
import { useLessonVisit, useStudyTime } from '../report/use-lesson-visit'
import type { LessonMaterial } from './kinds/lesson-materials.server'
import { isLessonEarned, lessonRules } from './kinds/lesson-rules'
import { lessonViews } from './kinds/lesson-views'
import { createPlaybackTime } from './kinds/video/playback-time'
import type { PlayerHandle } from './kinds/video/video-player'
import { LessonActions, type MarkButton } from './lesson-actions'
import { LessonDownloads } from './lesson-downloads'
import { PageLearnerContext } from './lesson-form'
import { LessonHeading } from './lesson-heading'
import { getNextStepNotice, lessonMessages } from './lesson-messages'
import type { LessonEntry, LessonPageData, OpenLesson } from './lesson-page-data'
import { LessonPanel } from './lesson-panel'
import {
  findNextStep,
  findPreviousLesson,
  nextStepUrl,
  shouldAutoplay,
  useNextStepNavigation,
} from './next-step'

type LessonScreenProps = Pick<LessonPageProps, 'page' | 'material' | 'visit' | 'runningExam'>

/** Displays the open lesson of a course, and moves the focus when another lesson is opened. */
export function LessonScreen({
  page: loadedPage,
  material,
  visit,
  runningExam,
}: LessonScreenProps) {
  const { revalidate } = useRevalidator()
  const [search] = useSearchParams()
  const { state, hash } = useLocation()
  const navigationType = useNavigationType()
  const { lesson, course } = loadedPage

  // The key contains the learner and the course, so that no state outlives them.
  const courseKey = `${visit.uid}/${course.id}`
  const { page, handleDoneChange } = usePageWithDoneChanges(loadedPage, courseKey)
  useReloadAfterReward(page, revalidate)
  const headingRef = useFocusOnNewLesson(lesson.id, hash)

  return (
    <>
      <LessonPage
        key={`${courseKey}/${lesson.id}`}
        page={page}
        material={material}
        visit={visit}
        startSeconds={parseSeconds(search.get('at'))}
        shouldPlay={shouldAutoplay(state, navigationType)}
        headingRef={headingRef}
        runningExam={runningExam}
        onDoneChange={handleDoneChange}
      />
      <p role="status" className="sr-only">
        {getLessonPositionText(page)}
      </p>
    </>
  )
}

type LessonPageProps = {
  page: LessonPageData
  material: LessonMaterial
  visit: LessonVisit
  /** The second at which the link asks the video to start. */
  startSeconds: number | null
  /** Whether the video plays by itself, because the previous lesson led to it. */
  shouldPlay: boolean
  headingRef: Ref<HTMLHeadingElement>
  /** A link to the course's exam while it is in progress. */
  runningExam: ReactNode
  /** Called when the lesson becomes done or undone. */
  onDoneChange(lessonId: string, isDone: boolean): void
}

/**
 * Displays one lesson with its heading, actions and panel. It is mounted again for another lesson.
 */
function LessonPage(props: LessonPageProps) {
  const { page, material, visit, startSeconds, shouldPlay, onDoneChange } = props
  const { course, sections, lesson } = page
  const { Lesson, getTranscript } = lessonViews[lesson.kind]
  const lessons = sections.flatMap((section) => section.lessons)

  const player = useRef<PlayerHandle>(null)
  const [playbackTime] = useState(createPlaybackTime)
  const seek = useCallback((seconds: number) => player.current?.seek(seconds), [])

  const lessonVisit = useLessonVisit({ visit, courseId: course.id, lesson })
  const { reporter, clock, status, progress, done: isDone } = lessonVisit
  useStudyTime({ reporter, clock, player, isEnabled: hasMaterial(lesson) })
  useEffect(() => onDoneChange(lesson.id, isDone), [lesson.id, isDone, onDoneChange])

  const nextStep = findNextStep(lessons, lesson.id, course)
  const navigation = useNextStepNavigation(nextStepUrl(nextStep, course.id))
  const markButton = useMarkButton(lesson, progress, isDone)

  const [wasDoneBefore] = useState(isDone)
  const isFinished = lessonRules[lesson.kind].isFinishedByMark || isLessonEarned(lesson, progress)
  const isFinishedInVisit = isDone && !wasDoneBefore && isFinished

  return (
    <PageLearnerContext value={visit.uid}>
      <div
        data-lesson
        className="flex flex-col lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr_auto]"
      >
        <LessonHeading
          page={page}
          lessons={lessons}
          saveStatus={status}
          headingRef={props.headingRef}
          runningExam={props.runningExam}
        />
        <div className="min-w-0 lg:col-start-1 lg:pb-8">
          <LessonNotices isRetired={lesson.retired} />
          <Lesson
            material={material}
            ref={player}
            courseId={course.id}
            lesson={lesson}
            progress={progress}
            isDone={isDone}
            startSeconds={startSeconds}
            shouldPlay={shouldPlay}
            nextStep={nextStep}
            navigation={navigation}
            lessons={lessons}
            reporter={reporter}
            onPlaybackTime={playbackTime.set}
          />
          <div
            className={`${readableWidthClasses} flex flex-col gap-6 pt-6 empty:hidden print:hidden`}
          >
            {isFinishedInVisit && 'lesson' in nextStep && (
              <CelebrationCard icon={<Check size={28} />} {...getNextStepNotice(nextStep)} />
            )}
            <LessonDownloads courseId={course.id} lesson={lesson} />
          </div>
        </div>
        <LessonActions
          courseId={course.id}
          previousLesson={findPreviousLesson(lessons, lesson.id)}
          nextStep={nextStep}
          navigation={navigation}
          isDone={isDone}
          markButton={markButton}
          onMark={(mark) => reporter.recordMark(mark)}
          isBookmarked={lessons.some((entry) => entry.id === lesson.id && entry.bookmarked)}
        />
        <LessonPanel
          page={page}
          cues={getTranscript(material)}
          playbackTime={playbackTime}
          onSeek={seek}
        />
      </div>
    </PageLearnerContext>
  )
}

/** Limits the width, so that lines have a readable length. */
const readableWidthClasses = 'mx-auto w-full min-w-0 max-w-4xl px-[clamp(1rem,4vw,2.5rem)]'

/** Returns the button "Mark as done", or null if the lesson can't be marked. */
function useMarkButton(
  lesson: OpenLesson,
  progress: LessonProgress,
  isDone: boolean,
): MarkButton | null {
  const isHydrated = useHydrated()
  if (!hasMaterial(lesson)) {
    return null
  }

  const { canBeMarkedDone, texts } = lessonRules[lesson.kind]
  // Without JavaScript, nothing tells whether an article was read to its end.
  const mustFinishFirst = isHydrated && !isDone && !canBeMarkedDone(progress)
  if (mustFinishFirst) {
    return { note: texts.cannotBeMarkedYet, isDisabled: true }
  }

  // A lesson that is done without a mark was earned before, perhaps with other material.
  const isEarned = isLessonEarned(lesson, progress) || (isDone && !progress.mark)
  const isMarkEnough = isEarned || lesson.retired

  return { note: isMarkEnough ? null : texts.markedButNotEarned, isDisabled: false }
}

function LessonNotices({ isRetired }: { isRetired: boolean }) {
  const isOnline = useOnline()

  return (
    <>
      <div role="status">
        {!isOnline && (
          <Notice variant="warn" className={`${readableWidthClasses} my-3 print:hidden`}>
            {lessonMessages.lessonOffline}
          </Notice>
        )}
      </div>
      <Notice
        variant="warn"
        className={`${readableWidthClasses} my-3 hidden noscript:block print:hidden`}
      >
        {lessonMessages.withoutScripts}
      </Notice>
      {isRetired && (
        <Notice variant="info" className={`${readableWidthClasses} my-3 print:hidden`}>
          {lessonMessages.lessonRetired}
        </Notice>
      )}
    </>
  )
}

/** Parses the second in the URL of a note. */
function parseSeconds(text: string | null): number | null {
  const seconds = Number(text)
  return text !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

/** Returns what screen readers announce when another lesson is opened, after its heading. */
function getLessonPositionText({ sections, lesson }: LessonPageData): string {
  const lessons = sections.flatMap((section) => section.lessons).filter(hasMaterial)
  const index = lessons.findIndex(({ id }) => id === lesson.id)
  return index < 0 ? '' : `Lesson ${index + 1} of ${lessons.length}`
}

/**
 * Moves the focus when another lesson is opened: to the element in the hash of the URL or, without
 * one, to the heading of the lesson.
 *
 * @returns the ref of the heading
 */
function useFocusOnNewLesson(lessonId: string, hash: string) {
  const headingRef = useRef<HTMLHeadingElement>(null)
  const focusedLessonId = useRef(lessonId)

  useEffect(() => {
    if (focusedLessonId.current === lessonId) {
      return
    }

    focusedLessonId.current = lessonId
    const linkedElement = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null
    if (linkedElement) {
      linkedElement.tabIndex = -1
    }

    const focusTarget = linkedElement ?? headingRef.current
    focusTarget?.focus({ preventScroll: true })
  }, [lessonId, hash])

  return headingRef
}

/**
 * Reloads the page's data after the report that finished the course. If the exam was passed before,
 * that report has earned the certificate.
 */
function useReloadAfterReward(
  { course, sections }: LessonPageData,
  reload: () => Promise<void>,
): void {
  const [rewardCount, setRewardCount] = useState(0)
  useEffect(() => onPossibleReward(() => setRewardCount((count) => count + 1)), [])

  const { percent } = summarizeProgress(sections.flatMap(({ lessons }) => lessons))
  const mayHaveCertificate = course.certificate === null && percent === 100
  useEffect(() => {
    if (mayHaveCertificate && rewardCount > 0) {
      void reload()
    }
  }, [mayHaveCertificate, rewardCount, reload])
}

/**
 * Returns the page with the changes of its lessons, which became done or undone since it was
 * loaded.
 */
function usePageWithDoneChanges(loadedPage: LessonPageData, courseKey: string) {
  /**
   * Whether each changed lesson is done. The keys contain the learner, the course and the lesson.
   */
  const [doneChanges, setDoneChanges] = useState<Record<string, boolean>>({})

  const handleDoneChange = useCallback(
    (lessonId: string, isDone: boolean) => {
      const key = `${courseKey}/${lessonId}`
      setDoneChanges((previous) =>
        previous[key] === isDone ? previous : { ...previous, [key]: isDone },
      )
    },
    [courseKey],
  )

  const page = useMemo(() => {
    const applyChange = (lesson: LessonEntry) => ({
      ...lesson,
      done: doneChanges[`${courseKey}/${lesson.id}`] ?? lesson.done,
    })
    const sections = loadedPage.sections.map((section) => ({
      ...section,
      lessons: section.lessons.map(applyChange),
    }))
    return { ...loadedPage, sections }
  }, [loadedPage, courseKey, doneChanges])

  return { page, handleDoneChange }
}
