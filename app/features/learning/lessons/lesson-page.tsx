import {
  Check,
  CloudOff,
  ListVideo,
  LoaderCircle,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react'
import { type ReactNode, type Ref, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation, useNavigationType, useRevalidator, useSearchParams } from 'react-router'
import { hasMaterial, lessonKinds } from '~/features/courses/lessons/lesson-kinds'
import { summarizeProgress } from '~/features/enrollment/course-progress'
import { CelebrationCard } from '~/ui/celebration-card'
import { useOnline } from '~/ui/connection'
import { formatSeconds } from '~/ui/format-duration'
import { useHydrated } from '~/ui/hooks'
import { Notice } from '~/ui/notice'
import type { LessonProgress } from '../progress/lesson-progress'
import type { LessonVisit, SaveStatus } from '../report/progress-reporter'
import { onPossibleReward } from '../report/progress-reports'
import { useLessonVisit, useStudyTime } from '../report/use-lesson-visit'
import type { LessonMaterial } from './kinds/lesson-materials.server'
import { isLessonEarned, lessonRules } from './kinds/lesson-rules'
import { lessonViews } from './kinds/lesson-views'
import { createPlaybackTime } from './kinds/video/transcript-panel'
import type { PlayerHandle } from './kinds/video/video-player'
import { LessonActions, type MarkButton } from './lesson-actions'
import { LessonDownloads } from './lesson-downloads'
import { PageLearnerContext } from './lesson-form'
import { getNextStepNotice, lessonMessages } from './lesson-messages'
import type { LessonEntry, LessonPageData, OpenLesson } from './lesson-page-data'
import { LessonPanel, panelId } from './lesson-panel'
import { useLessonSettings } from './lesson-settings'
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

/** The page of one lesson. It is mounted again for another lesson. */
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
            onTime={playbackTime.set}
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

/** Limits the lines to a readable length. */
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
  return index < 0 ? '' : lessonPositionText(index + 1, lessons.length)
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

/** Returns the page with the lessons that were done or undone since it was loaded. */
function usePageWithDoneChanges(loadedPage: LessonPageData, courseKey: string) {
  /** Whether lessons are done, by the learner, course and lesson. */
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

type LessonHeadingProps = {
  page: LessonPageData
  lessons: readonly LessonEntry[]
  saveStatus: SaveStatus
  headingRef: Ref<HTMLHeadingElement>
  /** A link to the course's exam while it is in progress. */
  runningExam: ReactNode
}

/** Displays the lesson's title, its place in the course, and whether the progress is saved. */
function LessonHeading({
  page: { course, lesson },
  lessons,
  saveStatus,
  headingRef,
  runningExam,
}: LessonHeadingProps) {
  const kindLabel = hasMaterial(lesson) ? lessonKinds[lesson.kind].label : 'Coming soon'

  return (
    <div className="flex min-h-19 flex-wrap items-center gap-x-6 gap-y-2 border-line border-b px-[clamp(1rem,4vw,2.5rem)] py-2.5">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <p className="text-sm text-muted">
          <Link
            to={`/OneCourse/${course.id}`}
            className="font-semibold hover:text-ink hover:underline"
          >
            {course.title}
          </Link>
          <span>{` · ${kindLabel} · ${formatSeconds(lesson.durationSeconds)}`}</span>
          {lesson.sectionTitle && (
            <span className="max-sm:hidden">{` · ${lesson.sectionTitle}`}</span>
          )}
        </p>
        <h1
          ref={headingRef}
          dir="auto"
          tabIndex={-1}
          className="text-xl font-bold outline-none sm:text-2xl"
        >
          {lesson.title}
        </h1>
      </div>
      {runningExam}
      <LessonsLink lessons={lessons} />
      <div className="noscript:hidden print:hidden">
        <SaveStatusText status={saveStatus} />
      </div>
    </div>
  )
}

/** Leads down to the list of lessons, which is below the lesson on a phone. */
function LessonsLink({ lessons }: { lessons: readonly LessonEntry[] }) {
  const [, changeSettings] = useLessonSettings()
  const countedLessons = lessons.filter(hasMaterial)
  const doneLessons = countedLessons.filter((lesson) => lesson.done)

  return (
    <a
      href={`#${panelId}`}
      onClick={() => changeSettings({ tab: 'lessons' })}
      className="inline-flex min-h-9 items-center gap-2 text-sm font-semibold text-accent lg:hidden print:hidden"
    >
      <ListVideo aria-hidden="true" size={18} />
      {lessonsButtonText(doneLessons.length, countedLessons.length)}
    </a>
  )
}

/** Collected progress is sent within seconds, so it needs no text. */
type DisplayedStatus = Exclude<SaveStatus, 'collected'>

const statusIcons: Record<DisplayedStatus, LucideIcon> = {
  saved: Check,
  saving: LoaderCircle,
  offline: CloudOff,
  unkept: CloudOff,
  'signed-out': CloudOff,
  'not-enrolled': CloudOff,
  refused: TriangleAlert,
}

/** Says whether the learner's progress is saved. Displays nothing while there is nothing to say. */
function SaveStatusText({ status }: { status: SaveStatus }) {
  const displayedStatus = useDisplayedStatus(status)
  const Icon = displayedStatus && statusIcons[displayedStatus]
  const isProblem = displayedStatus !== 'saved' && displayedStatus !== 'saving'
  const colorClasses = isProblem ? 'text-warn' : 'text-muted'

  return (
    <p
      role="status"
      data-status={status}
      className={`flex items-center gap-1.5 text-sm font-medium ${colorClasses}`}
    >
      {Icon && <Icon aria-hidden="true" size={16} />}
      {displayedStatus && lessonMessages.saveStatusTexts[displayedStatus]}
    </p>
  )
}

/** 'Saving' is displayed only if saving takes longer than this. */
const savingDelayMs = 500
/** How long 'Saved' stays on the page. */
const savedMs = 3_000

/** Returns the status to display, or null while there is nothing to say. */
function useDisplayedStatus(status: SaveStatus): DisplayedStatus | null {
  const [displayedStatus, setDisplayedStatus] = useState<DisplayedStatus | null>(null)

  useEffect(() => {
    const isSettled = status === 'saved' || status === 'collected'
    if (!isSettled) {
      const delayMs = status === 'saving' ? savingDelayMs : 0
      const timer = setTimeout(() => setDisplayedStatus(status), delayMs)
      return () => clearTimeout(timer)
    }

    // 'Saved' is displayed only after 'Saving' or a problem.
    setDisplayedStatus((previous) => (previous && status === 'saved' ? 'saved' : null))
    const timer = setTimeout(() => setDisplayedStatus(null), savedMs)

    return () => clearTimeout(timer)
  }, [status])

  return displayedStatus
}

/** What screen readers announce when another lesson is opened. */
function lessonPositionText(number: number, count: number): string {
  return `Lesson ${number} of ${count}`
}

/** The link to the list of lessons on a phone. */
function lessonsButtonText(done: number, total: number): string {
  return `Lessons · ${done} of ${total} done`
}
