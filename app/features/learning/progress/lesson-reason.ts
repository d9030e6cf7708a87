import { lessonReasons } from './course-work-messages'
import { isLessonEarned, type LessonMaterial, type LessonWork, watchedShare } from './lesson-work'
import { coveredMs } from './watched-intervals'

/**
 * Why a lesson is done or not, as an operator reads it. Whether it is done is what was stored at
 * the latest report.
 */
export type LessonReason = { counts: boolean; reason: string }

type Lesson = LessonMaterial & { retired: boolean }

/** @param earnedAt when watching or answering finished it for the first time; null if never. */
export function lessonReason(
  lesson: Lesson,
  work: LessonWork,
  earnedAt: Date | null,
): LessonReason {
  const counts = lesson.kind !== 'announced' && !lesson.retired
  const facts = [markText(work), workText(lesson, work), endText(lesson, work, earnedAt)]
  const reasons = facts.filter((fact) => fact !== null)
  if (reasons.length === 0) {
    reasons.push(lessonReasons.notStarted)
  }

  if (lesson.retired) {
    reasons.push(lessonReasons.noLongerInCourse)
  } else if (lesson.kind === 'announced') {
    return { counts, reason: lessonReasons.announced }
  }

  return { counts, reason: reasons.join('; ') }
}

/** A lesson that became shorter may be earned without a report that says so. */
function endText(lesson: LessonMaterial, work: LessonWork, earnedAt: Date | null): string | null {
  if (earnedAt) {
    return lessonReasons.finished(dayOf(earnedAt))
  }

  return !work.mark && isLessonEarned(lesson, work) ? lessonReasons.enoughSinceChange : null
}

function markText({ mark }: LessonWork): string | null {
  if (!mark) {
    return null
  }

  const day = dayOf(new Date(mark.at))
  return mark.value === 'done' ? lessonReasons.marked(day) : lessonReasons.markTakenBack(day)
}

function workText(lesson: LessonMaterial, work: LessonWork): string | null {
  const { kind, durationSeconds, questionIds } = lesson
  if (kind === 'video') {
    if (work.watched.length === 0) {
      return null
    }

    const watched = coveredMs(work.watched, [0, durationSeconds * 1000]) / (durationSeconds * 1000)

    return isLessonEarned(lesson, work)
      ? lessonReasons.watched(percent(watched))
      : lessonReasons.watchedTooLittle(percent(watched), percent(watchedShare))
  }

  if (kind === 'quiz') {
    const answered = questionIds.filter((id) => work.answered.includes(id)).length
    return answered > 0 ? lessonReasons.answered(answered, questionIds.length) : null
  }

  if (kind === 'article' && work.readToEnd) {
    return lessonReasons.readToEnd
  }

  return null
}

/** Rounded down, as only a finished course shows 100%. */
const percent = (share: number) => `${Math.floor(share * 100)}%`

const dayOf = (date: Date) => date.toISOString().slice(0, 10)
