import { Check } from 'lucide-react'
import { type ReactNode, type Ref, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigationType, useRevalidator, useSearchParams } from 'react-router'
import { hasMaterial } from '~/features/courses/lessons/lesson-kinds'
import { summarizeProgress } from '~/features/enrollment/course-progress'
import { CelebrationCard } from '~/ui/celebration-card'
import { useOnline } from '~/ui/connection'
import { Notice } from '~/ui/notice'
import { useHydrated } from '~/ui/use-hydrated'
import type { LessonProgress } from '../progress/lesson-progress'
import type { LessonVisit } from '../report/progress-reporter'
import { onPossibleReward } from '../report/progress-reports'
import { useLessonVisit, useStudyTime } from '../report/use-lesson-visit'
import type { LessonMaterial } from './kinds/lesson-materials.server'
import { isLessonEarned, lessonRules } from './kinds/lesson-rules'
import { lessonViews } from './kinds/lesson-views'
import { createPlaybackTime } from './kinds/video/transcript-panel'
import type { PlayerHandle } from './kinds/video/video-player'
import { LessonActions } from './lesson-actions'
import { LessonDownloads } from './lesson-downloads'
import { PageLearnerContext } from './lesson-form'
import { LessonHeading } from './lesson-heading'
import {
  lessonOffline,
  lessonPlace,
  lessonRetired,
  nextStepNotice,
  withoutScripts,
} from './lesson-messages'
import type { LessonPageData, OpenLesson } from './lesson-page-data'
import { LessonPanel } from './lesson-panel'
import {
  findNeighborLesson,
  findNextStep,
  nextStepUrl,
  shouldAutoplay,
  useNextStepNavigation,
} from './next-step'

type LessonPageProps = {
  page: LessonPageData
  material: LessonMaterial
  visit: LessonVisit
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
function LessonPage(props: LessonPageProps) {
  const { page, material, visit, at, plays, heading, exam, onDone } = props
  const { course, sections, lesson } = page
  const { Lesson, getTranscript } = lessonViews[lesson.kind]
  const player = useRef<PlayerHandle>(null)
  const [time] = useState(createPlaybackTime)
  const onSeek = useCallback((to: number) => player.current?.seek(to), [])
  const { reporter, clock, status, progress, done } = useLessonVisit({
    visit,
    courseId: course.id,
    lesson,
  })

  useStudyTime({ reporter, clock, player, isEnabled: hasMaterial(lesson) })
  useEffect(() => onDone(lesson.id, done), [lesson.id, done, onDone])
  const [doneBefore] = useState(done)
  const lessons = sections.flatMap((section) => section.lessons)
  const step = findNextStep(lessons, lesson.id, course)
  const goOn = useNextStepNavigation(nextStepUrl(step, course.id))
  const mark = useMarkButton(lesson, progress, done)
  const isFinished = lessonRules[lesson.kind].isFinishedByMark || isLessonEarned(lesson, progress)
  const isFinishedInVisit = done && !doneBefore && isFinished

  return (
    <PageLearnerContext value={visit.uid}>
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
            progress={progress}
            isDone={done}
            startSeconds={at}
            shouldPlay={plays}
            nextStep={step}
            goOn={goOn}
            lessons={lessons}
            reporter={reporter}
            onTime={time.set}
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
          previous={findNeighborLesson(lessons, lesson.id, -1)}
          step={step}
          goOn={goOn}
          done={done}
          mark={mark}
          onMark={(value) => reporter.recordMark(value)}
          bookmarked={lessons.some((entry) => entry.id === lesson.id && entry.bookmarked)}
        />
        <LessonPanel page={page} cues={getTranscript(material)} time={time} onSeek={onSeek} />
      </div>
    </PageLearnerContext>
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

type FromScreen = 'at' | 'plays' | 'heading' | 'onDone'

type LessonScreenProps = Omit<LessonPageProps, FromScreen>

/** The lessons of a course, one at a time; each is mounted separately. */
export function LessonScreen({ page, ...lesson }: LessonScreenProps) {
  const { revalidate } = useRevalidator()
  const [search] = useSearchParams()
  /** State belongs to one learner and course, so that an earlier account's doesn't apply. */
  const owner = `${lesson.visit.uid}/${page.course.id}`
  const { current, onDone } = useDoneHere(page, owner)
  useCertificateNews(current, revalidate)
  const { heading, plays } = useGoingOn(page.lesson.id)

  return (
    <>
      <LessonPage
        key={`${owner}/${page.lesson.id}`}
        page={current}
        at={secondsOf(search.get('at'))}
        plays={plays}
        heading={heading}
        onDone={onDone}
        {...lesson}
      />
      <p role="status" className="sr-only">
        {placeText(current)}
      </p>
    </>
  )
}

/** Read out when another lesson is opened, after its heading, which gets the focus. */
function placeText({ sections, lesson }: LessonPageData): string {
  const lessons = sections.flatMap((section) => section.lessons).filter(hasMaterial)
  const index = lessons.findIndex(({ id }) => id === lesson.id)
  return index < 0 ? '' : lessonPlace(index + 1, lessons.length)
}

/** A change of lesson moves the focus: to its heading, or to the place that the link named. */
function useGoingOn(lessonId: string) {
  const { hash, state } = useLocation()
  const navigationType = useNavigationType()
  const heading = useRef<HTMLHeadingElement>(null)
  const opened = useRef(lessonId)
  useEffect(() => {
    if (opened.current === lessonId) {
      return
    }

    opened.current = lessonId
    const named = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null
    if (named) {
      named.tabIndex = -1
    }

    const target = named ?? heading.current
    target?.focus({ preventScroll: true })
  }, [lessonId, hash])

  return { heading, plays: shouldAutoplay(state, navigationType) }
}

/** The exam may have been passed before the last lesson, which then brought the certificate. */
function useCertificateNews({ course, sections }: LessonPageData, readAgain: () => Promise<void>) {
  const [followedUp, setFollowedUp] = useState(0)
  useEffect(() => onPossibleReward(() => setFollowedUp((before) => before + 1)), [])
  const waits =
    course.certificate === null &&
    summarizeProgress(sections.flatMap(({ lessons }) => lessons)).percent === 100
  useEffect(() => {
    if (waits && followedUp > 0) {
      void readAgain()
    }
  }, [waits, followedUp, readAgain])
}

/** Changes of a lesson's state show at once, even before the server has the latest report. */
function useDoneHere(page: LessonPageData, owner: string) {
  const [changed, setChanged] = useState<Record<string, boolean>>({})
  const onDone = useCallback(
    (lessonId: string, done: boolean) => {
      const key = `${owner}/${lessonId}`
      setChanged((before) => (before[key] === done ? before : { ...before, [key]: done }))
    },
    [owner],
  )
  const current = useMemo(() => {
    const withChange = (lesson: LessonPageData['sections'][number]['lessons'][number]) => ({
      ...lesson,
      done: changed[`${owner}/${lesson.id}`] ?? lesson.done,
    })
    const sections = page.sections.map((section) => ({
      ...section,
      lessons: section.lessons.map(withChange),
    }))
    return { ...page, sections }
  }, [page, owner, changed])

  return { current, onDone }
}

/** A note's place in the address. */
function secondsOf(text: string | null): number | null {
  const seconds = Number(text)
  return text !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}
