import * as z from 'zod'
import { explainedIn, line, slug, text } from './content-fields'

const examAnswer = {
  id: slug,
  prompt: text,
  explanation: text,
  explainedIn: explainedIn.optional(),
}

export const examQuestion = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('single'),
    ...examAnswer,
    options: z.array(line(300)).min(3).max(20),
    answer: line(300),
  }),
  z.strictObject({
    type: z.literal('multiple'),
    ...examAnswer,
    options: z.array(line(300)).min(3).max(20),
    answers: z.array(line(300)).min(1).max(20),
  }),
  /** `items` are in the correct order; the learner gets them shuffled. */
  z.strictObject({ type: z.literal('ordering'), ...examAnswer, items: z.array(line(300)).min(3).max(20) }),
  z.strictObject({
    type: z.literal('numeric'),
    ...examAnswer,
    answer: z.number(),
    tolerance: z.number().nonnegative(),
    /** Begins with no digit, which would belong to the number. */
    unit: line(20)
      .regex(/^[^\d.,+-]/, 'Start the unit with a letter or a symbol like %.')
      .optional(),
  }),
  /** Compared after trimming, folding spaces and case. */
  z.strictObject({ type: z.literal('text'), ...examAnswer, accepted: z.array(line(300)).min(1).max(50) }),
])

/** `content/courses/SLUG/exam.yaml`. */
export const examFile = z.strictObject({
  title: line(120),
  /** Questions drawn at random from the pool for an attempt. */
  draw: z.int().min(8).max(200),
  timeLimitMinutes: z.int().positive().max(1440),
  maxAttempts: z.int().positive().max(1000),
  /**
   * Counts only attempts from the last so many days, so a learner who used them all may come back; without it, all
   * attempts count.
   */
  attemptsWithinDays: z.int().positive().max(3650).nullable().default(null),
  /** From the end of one attempt to the start of the next, to discourage guessing; at most a week. */
  minutesBetweenAttempts: z.int().nonnegative().max(10_080).default(10),
  passPercent: z.int().min(1).max(100).default(60),
  questions: z.array(examQuestion).min(12).max(1000),
})
