import { isLessonEarned, type LessonMaterial, type LessonWork, watchedShare } from './lesson-work'
import { coveredMs } from './watched-intervals'

/** Why a lesson is done or not, as an operator reads it. Whether it is done is what was stored at the latest report. */
export type LessonReason = { counts: boolean; reason: string }

type Lesson = LessonMaterial & { retired: boolean }

/** @param earnedAt when watching or answering finished it for the first time; null if never. */
export function lessonReason(lesson: Lesson, work: LessonWork, earnedAt: Date | null): LessonReason {
  const counts = lesson.kind !== 'announced' && !lesson.retired
  const facts = [markText(work), workText(lesson, work), endText(lesson, work, earnedAt)]
  const told = facts.filter(Boolean).join('; ') || 'not started'
  if (lesson.retired) return { counts, reason: `${told}; no longer in the course` }
  if (lesson.kind === 'announced') return { counts, reason: 'announced: it has no material yet' }
  return { counts, reason: told }
}

/** A lesson that became shorter may be earned without a report that says so. */
function endText(lesson: LessonMaterial, work: LessonWork, earnedAt: Date | null): string | null {
  if (earnedAt) return `finished on ${dayOf(earnedAt)}`
  return !work.mark && isLessonEarned(lesson, work)
    ? 'that’s enough since the lesson changed: done at the next visit'
    : null
}

function markText({ mark }: LessonWork): string | null {
  if (!mark) return null
  const day = dayOf(new Date(mark.at))
  return mark.value === 'done' ? `marked as done by the learner on ${day}` : `the learner took the mark back on ${day}`
}

function workText(lesson: LessonMaterial, work: LessonWork): string | null {
  const { kind, durationSeconds, questionIds } = lesson
  if (kind === 'video') {
    if (work.watched.length === 0) return null
    const watched = coveredMs(work.watched, [0, durationSeconds * 1000]) / (durationSeconds * 1000)
    const needed = isLessonEarned(lesson, work) ? '' : `, ${percent(watchedShare)} needed`
    return `watched ${percent(watched)}${needed}`
  }
  if (kind === 'quiz') {
    const answered = questionIds.filter((id) => work.answered.includes(id)).length
    return answered > 0 ? `answered ${answered} of ${questionIds.length} questions` : null
  }
  if (kind === 'article' && work.readToEnd) return 'read to the end'
  return null
}

/** Rounded down, as only a finished course shows 100%. */
const percent = (share: number) => `${Math.floor(share * 100)}%`

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)
