import * as z from 'zod'
import { slug, text } from './content-fields'

function isTimeZone(name: string): boolean {
  return Intl.supportedValuesOf('timeZone').includes(name)
}

/** Whole days before the history was stored. */
const daysAgo = z.int().min(1).max(3650)

/** `content/demo-learner.yaml`, which may be missing: the demo learner's history. */
export const demoLearnerFile = z.strictObject({
  profile: z.strictObject({
    joinedDaysAgo: daysAgo,
    phone: text,
    location: text,
    timezone: z.string().refine(isTimeZone, 'Use an IANA time zone, such as America/New_York.'),
  }),
  courses: z
    .array(
      z.strictObject({
        course: slug,
        enrolledDaysAgo: daysAgo,
        lastAccessedDaysAgo: daysAgo,
        completedDaysAgo: daysAgo.optional(),
        certificateDaysAgo: daysAgo.optional(),
        /** Finished lessons by id, and how long ago. */
        lessons: z.record(slug, daysAgo).default({}),
        /** `score` counts right answers among the questions that the course's exam draws. */
        exams: z.array(z.strictObject({ daysAgo, score: z.int().nonnegative() })).default([]),
      }),
    )
    .min(1),
  /** Earned ones by id, and how long ago. */
  achievements: z.record(slug, daysAgo).default({}),
  study: z.strictObject({
    /** The weekly goal: days to learn on, 1 is Monday. */
    weekdays: z.array(z.int().min(1).max(7)).max(7).default([]),
    startsAt: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time like 18:30.'),
    /** Minutes a day, a list a week, oldest first; the last number is the day before. */
    minutes: z.array(z.array(z.int().min(0).max(240)).length(7)).min(1),
  }),
})
