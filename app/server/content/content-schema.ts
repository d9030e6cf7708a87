/**
 * The shape of everything under `content/`, one schema a file. `docs/content.md` explains it to operators.
 * Unknown keys are errors, so that a misspelt key is reported and not ignored.
 */
import * as z from 'zod'
import { isVisible } from './text-problems'

const visible = z.string().trim().min(1).refine(isVisible, 'Write some visible text.')
/** Paragraphs. */
const text = visible.max(20_000)
/** A name or title: one line that fits a card. */
const line = (most: number) => visible.max(most).regex(/^[^\n]*$/, 'Write it on one line.')
const slug = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lowercase letters, digits and single hyphens.')
const isoDate = z
  .string()
  .regex(/^(19|20)\d{2}-\d{2}-\d{2}$/, 'Use a date like 2026-09-30.')
  .refine((date) => new Date(date).toJSON()?.startsWith(date), 'Use a date that exists.')
/** A count that the database and a page can hold. */
const count = z.int().nonnegative().max(1_000_000_000)
/** Names that an id had before: what learners did under them stays theirs. */
const aliases = z.array(slug).max(50).default([])
/** At most a day. */
const lessonSeconds = z.int().positive().max(86_400)

const courseCategories = ['technology', 'design', 'business', 'marketing', 'photography'] as const
const courseLevels = ['beginner', 'intermediate', 'advanced'] as const

const quizQuestion = z.strictObject({
  question: line(500),
  /** Shown after any answer, right or wrong. */
  explanation: text,
  options: z
    .array(z.strictObject({ text: line(300), correct: z.boolean().default(false) }))
    .min(2)
    .max(6),
})

/** A lesson without `kind` is announced in the curriculum but has no material yet, and the page says so. */
export const lessonEntry = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('video'),
    id: slug,
    aliases,
    title: line(120),
    preview: z.boolean().default(false),
    /** Whole seconds; the length of the media file, which the loader compares. */
    durationSeconds: lessonSeconds,
    /** Storyboard and media are `videos/NAME.yaml`, `.webm`, `.mp4`, `.vtt` and `.webp` in the course's folder. */
    video: slug,
  }),
  z.strictObject({
    kind: z.literal('article'),
    id: slug,
    aliases,
    title: line(120),
    preview: z.boolean().default(false),
    /** Reading time. The text is `lessons/ID.md`. */
    durationSeconds: lessonSeconds,
  }),
  z.strictObject({
    kind: z.literal('quiz'),
    id: slug,
    aliases,
    title: line(120),
    preview: z.boolean().default(false),
    durationSeconds: lessonSeconds,
    questions: z.array(quizQuestion).min(1).max(100),
  }),
  z.strictObject({
    kind: z.literal('announced'),
    id: slug,
    aliases,
    title: line(120),
    preview: z.literal(false).default(false),
    durationSeconds: lessonSeconds,
  }),
])

const section = z.strictObject({
  id: slug,
  title: line(120),
  /** All lectures the section will have, those without material yet included. */
  lectures: count,
  durationMinutes: count,
  lessons: z.array(lessonEntry).max(500),
})

const review = z.strictObject({
  id: slug,
  /** Left out, the page shows 'Anonymous'. */
  name: line(80).nullable().default(null),
  rating: z.int().min(1).max(5),
  /** Left out, the page shows 'Recently'. */
  date: isoDate.nullable().default(null),
  /** Left out, the page shows 'No comment provided'. */
  comment: text.nullable().default(null),
  helpful: count.default(0),
})

/** `content/courses/SLUG/course.yaml`. The folder's name is the course's id and address. */
export const courseFile = z.strictObject({
  /** Folders that it had before. */
  aliases,
  title: line(80),
  subtitle: line(160),
  /** One or two sentences for the catalogue card; searched. */
  summary: line(240),
  /** Two to four paragraphs for the course page, separated by a blank line. */
  description: text,
  category: z.enum(courseCategories),
  level: z.enum(courseLevels),
  language: line(40),
  /** False keeps a course out of the catalogue while its address works: the sample of /OneCourse. */
  inCatalogue: z.boolean().default(true),
  /** False hides the course everywhere. */
  published: z.boolean().default(true),
  priceCents: count,
  originalPriceCents: count,
  durationHours: z.number().positive().max(100_000),
  lectures: count,
  downloadableResources: count,
  students: count,
  /** One decimal, 0 to 5. */
  rating: z.number().min(0).max(5).multipleOf(0.1),
  reviews: count,
  lastUpdated: isoDate,
  instructor: z.strictObject({
    name: line(80),
    title: line(120),
    /** For example '12 years in product teams'. */
    experience: line(160),
    students: count,
    courses: count,
    rating: z.number().min(0).max(5).multipleOf(0.1),
    bio: text,
    /** Base name of a portrait in `content/instructors/`. */
    image: slug,
  }),
  skills: z.array(line(80)).max(100),
  requirements: z.array(line(300)).max(100),
  whatYouLearn: z.array(line(300)).max(100),
  curriculum: z.array(section).max(200),
  reviewsList: z.array(review).max(2000),
})

const examAnswer = {
  id: slug,
  prompt: text,
  explanation: text,
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
  /** `items` stand in the right order; the learner gets them shuffled. */
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
  /** Counts only the attempts of so many days, so that who failed them all may come back; left out, all there ever were. */
  attemptsWithinDays: z.int().positive().max(3650).nullable().default(null),
  /** From the end of an attempt to the start of the next one, so that nobody tries answers out; at most a week. */
  minutesBetweenAttempts: z.int().nonnegative().max(10_080).default(10),
  passPercent: z.int().min(1).max(100).default(60),
  questions: z.array(examQuestion).min(12).max(1000),
})

/**
 * `content/courses/SLUG/videos/NAME.yaml`: what `npm run media` draws. Each scene is a title card or a simple animated
 * diagram; its `caption` becomes one WebVTT cue of the same length.
 */
export const storyboardFile = z.strictObject({
  scenes: z
    .array(
      z.strictObject({
        seconds: z.number().min(2).max(12),
        caption: text.max(160),
        heading: text.max(48).optional(),
        lines: z.array(text.max(64)).max(4).default([]),
        diagram: z
          .discriminatedUnion('kind', [
            /** Boxes joined by arrows, drawn one after the other. */
            z.strictObject({ kind: z.literal('flow'), nodes: z.array(text.max(18)).min(2).max(4) }),
            /** Bars that grow; values 0 to 100. */
            z.strictObject({
              kind: z.literal('bars'),
              bars: z
                .array(z.strictObject({ label: text.max(14), value: z.number().min(0).max(100) }))
                .min(2)
                .max(6),
            }),
            /** Lines of code that appear one by one. */
            z.strictObject({ kind: z.literal('code'), code: z.array(z.string().max(44)).min(1).max(6) }),
            /** A grid of squares filled in turn, for layouts and thirds; filled cells count from 0, row by row. */
            z.strictObject({
              kind: z.literal('grid'),
              columns: z.int().min(2).max(8),
              rows: z.int().min(1).max(5),
              filled: z.array(z.int().nonnegative()).max(40),
            }),
          ])
          .optional(),
      }),
    )
    .min(2),
})

/** `content/testimonials.yaml`. */
export const testimonialsFile = z
  .array(z.strictObject({ rating: z.int().min(1).max(5), text: line(1000), name: line(80), role: line(120) }))
  .max(500)

/** `content/synonyms.yaml`, which may be missing: words and phrases that mean the same to a search, a list for each meaning. */
export const synonymsFile = z.array(z.array(line(60)).min(2).max(20)).max(2_000)

/** `content/categories.yaml`: the cards of the home page. `catalogue` is the catalogue category they lead to, if any. */
export const categoriesFile = z
  .array(
    z.strictObject({ name: line(60), courses: line(20), icon: slug, catalogue: z.enum(courseCategories).optional() }),
  )
  .max(500)

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
    startsAt: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time like 18:30.'),
    /** Minutes a day, a list a week, oldest first; the last number is the day before. */
    minutes: z.array(z.array(z.int().min(0).max(240)).length(7)).min(1),
  }),
})
