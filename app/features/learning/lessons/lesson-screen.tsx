import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigationType, useRevalidator, useSearchParams } from 'react-router'
import { hasMaterial } from '~/features/courses/lessons/lesson-kinds'
import { onWorkFollowedUp } from '../progress/completion-event'
import { progressFigures } from '../progress/course-progress'
import { lessonPlace } from './lesson-messages'
import { LessonPage, type LessonPageProps } from './lesson-page'
import type { LessonPageData } from './lesson-page-data'
import { beginsToPlay } from './use-go-on'

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

  return { heading, plays: beginsToPlay(state, navigationType) }
}

/** The exam may have been passed before the last lesson, which then brought the certificate. */
function useCertificateNews({ course, sections }: LessonPageData, readAgain: () => Promise<void>) {
  const [followedUp, setFollowedUp] = useState(0)
  useEffect(() => onWorkFollowedUp(() => setFollowedUp((before) => before + 1)), [])
  const waits =
    course.certificate === null &&
    progressFigures(sections.flatMap(({ lessons }) => lessons)).percent === 100
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
