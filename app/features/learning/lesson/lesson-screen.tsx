import { useCallback, useMemo, useState } from 'react'
import { useRevalidator, useSearchParams } from 'react-router'
import { Formulas } from '~/ui/formula-text'
import { LessonPage, type LessonPageProps } from './lesson-page'
import type { LessonPageData } from './lesson-page-data'

type LessonScreenProps = Omit<LessonPageProps, 'at' | 'onDone' | 'onKeptTaken'> & {
  /** Of its questions. */
  formulas: Record<string, string>
}

/** The lessons of a course, one at a time; each is mounted separately. */
export function LessonScreen({ page, formulas, ...lesson }: LessonScreenProps) {
  const { revalidate } = useRevalidator()
  const [search] = useSearchParams()
  /** Of this learner's course: what another one did who was here before is no word about it. */
  const owner = `${lesson.visit.uid}/${page.course.id}`
  const { current, onDone } = useDoneHere(page, owner)
  const onKeptTaken = useCallback(() => void revalidate(), [revalidate])
  return (
    <Formulas html={formulas} alsoElsewhere={lesson.html?.includes('<math') ?? false}>
      <LessonPage
        key={`${owner}/${page.lesson.id}`}
        page={current}
        at={secondsOf(search.get('at'))}
        onDone={onDone}
        onKeptTaken={onKeptTaken}
        {...lesson}
      />
    </Formulas>
  )
}

/** What just became done here, or no longer, shows at once, also while the last report is still under way. */
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
    const sections = page.sections.map((section) => ({ ...section, lessons: section.lessons.map(withChange) }))
    return { ...page, sections }
  }, [page, owner, changed])
  return { current, onDone }
}

/** A note's place in the address. */
function secondsOf(text: string | null): number | null {
  const seconds = Number(text)
  return text !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}
