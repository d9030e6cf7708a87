import { byCount, formatNumber } from '~/ui/format-count'
import { formatMinutes } from '~/ui/format-duration'

/** The facts in the sentences; `wording` is the version of the sentences. */
export type WordedFacts = {
  wording: number
  /** `description` is the course's own of today; only the first credentials have it. */
  course: { description: string }
  work: { lessons: number; materialSeconds: number; examScore: number; examMaxScore: number }
}

type Sentences = { description: string; criteria: string; work: string }

/** Of every credential issued now. */
export const newestWording = 3

/**
 * The sentences of a signed credential. A change of words gets a new version, and issued
 * credentials keep theirs, so that the document at an address stays the one that was signed.
 */
export function credentialSentences({ wording, course, work }: WordedFacts): Sentences {
  const { lessons, materialSeconds, examScore, examMaxScore } = work
  const minutes = Math.max(1, Math.floor(materialSeconds / 60))
  const exam = `Final exam passed with ${examScore} of ${examMaxScore} correct answers.`
  if (wording === 1) {
    return {
      description: course.description,
      criteria: 'Complete every lesson of the course and pass the final exam.',
      work: `${lessons} lessons completed (${minutes} minutes of material). ${exam}`,
    }
  }

  const length = formatMinutes(minutes)
  const lessonsDone = byCount(
    lessons,
    `1 lesson completed, with ${length} of material.`,
    `${formatNumber(lessons)} lessons completed, with ${length} of material.`,
  )
  const done = `${lessonsDone} ${exam}`
  const description =
    'The lessons of this course that were available at the time, and its final exam.'
  if (wording === 2) {
    return {
      description,
      criteria: 'Complete every lesson available at the time and pass the final exam.',
      work: done,
    }
  }

  return {
    description,
    criteria:
      'Complete every lesson available at the time or mark it as done, and pass the final exam.',
    work: lessons === 0 ? exam : done,
  }
}
