/**
 * The shape of everything under `content/`, one schema a file. `docs/content.md` explains it to operators.
 * Unknown keys are errors, so that a misspelt key is reported and not ignored.
 */
import * as z from 'zod'

const text = z.string().trim().min(1)
const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'use lower-case letters, digits and single hyphens')
const isoDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'use a date like 2026-09-30')
  .refine((date) => new Date(date).toJSON()?.startsWith(date), 'use a date of the calendar')
/** At most a day. */
const lessonSeconds = z.int().positive().max(86_400)

const courseCategories = ['technology', 'design', 'business', 'marketing', 'photography'] as const
const courseLevels = ['beginner', 'intermediate', 'advanced'] as const

const quizQuestion = z.strictObject({
  question: text,
  /** Shown after any answer, right or wrong. */
  explanation: text,
  options: z
    .array(z.strictObject({ text, correct: z.boolean().default(false) }))
    .min(2)
    .max(6),
})

/** A lesson without `kind` is announced in the curriculum but has no material yet, and the page says so. */
const lesson = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('video'),
    id: slug,
    title: text,
    preview: z.boolean().default(false),
    /** Whole seconds; the length of the media file, which the loader compares. */
    durationSeconds: lessonSeconds,
    /** Storyboard and media are `videos/NAME.yaml`, `.webm`, `.mp4`, `.vtt` and `.webp` in the course's folder. */
    video: slug,
  }),
  z.strictObject({
    kind: z.literal('article'),
    id: slug,
    title: text,
    preview: z.boolean().default(false),
    /** Reading time. The text is `lessons/ID.md`. */
    durationSeconds: lessonSeconds,
  }),
  z.strictObject({
    kind: z.literal('quiz'),
    id: slug,
    title: text,
    preview: z.boolean().default(false),
    durationSeconds: lessonSeconds,
    questions: z.array(quizQuestion).min(2),
  }),
  z.strictObject({
    kind: z.literal('announced'),
    id: slug,
    title: text,
    preview: z.literal(false).default(false),
    durationSeconds: lessonSeconds,
  }),
])

const section = z.strictObject({
  id: slug,
  title: text,
  /** All lectures the section will have, those without material yet included. */
  lectures: z.int().positive(),
  durationMinutes: z.int().positive(),
  lessons: z.array(lesson).min(1),
})

const review = z.strictObject({
  id: slug,
  /** Left out, the page shows 'Anonymous'. */
  name: text.nullable().default(null),
  rating: z.int().min(1).max(5),
  /** Left out, the page shows 'Recently'. */
  date: isoDate.nullable().default(null),
  /** Left out, the page shows 'No comment provided'. */
  comment: text.nullable().default(null),
  helpful: z.int().nonnegative().default(0),
})

/** `content/courses/SLUG/course.yaml`. The folder's name is the course's id and address. */
export const courseFile = z.strictObject({
  title: text.max(80),
  subtitle: text.max(160),
  /** One or two sentences for the catalogue card; searched. */
  summary: text.max(240),
  /** Two to four paragraphs for the course page, separated by a blank line. */
  description: text,
  category: z.enum(courseCategories),
  level: z.enum(courseLevels),
  language: text,
  /** False keeps a course out of the catalogue while its address works: the sample of /OneCourse. */
  inCatalogue: z.boolean().default(true),
  /** False hides the course everywhere. */
  published: z.boolean().default(true),
  priceCents: z.int().nonnegative(),
  originalPriceCents: z.int().nonnegative(),
  durationHours: z.number().positive(),
  lectures: z.int().positive(),
  downloadableResources: z.int().nonnegative(),
  students: z.int().nonnegative(),
  /** One decimal, 0 to 5. */
  rating: z.number().min(0).max(5).multipleOf(0.1),
  reviews: z.int().nonnegative(),
  lastUpdated: isoDate,
  instructor: z.strictObject({
    name: text,
    title: text,
    /** For example '12 years in product teams'. */
    experience: text,
    students: z.int().nonnegative(),
    courses: z.int().positive(),
    rating: z.number().min(0).max(5).multipleOf(0.1),
    bio: text,
    /** Base name of a portrait in `content/instructors/`. */
    image: slug,
  }),
  skills: z.array(text).min(3),
  requirements: z.array(text).min(1),
  whatYouLearn: z.array(text).min(4),
  curriculum: z.array(section).min(2),
  reviewsList: z.array(review),
})

const examAnswer = {
  id: slug,
  prompt: text,
  explanation: text,
}

/** `content/courses/SLUG/exam.yaml`. */
export const examFile = z.strictObject({
  title: text,
  /** Questions drawn at random from the pool for an attempt. */
  draw: z.int().min(8),
  timeLimitMinutes: z.int().positive(),
  maxAttempts: z.int().positive(),
  /** Counts only the attempts of so many days, so that who failed them all may come back; left out, all there ever were. */
  attemptsWithinDays: z.int().positive().max(3650).nullable().default(null),
  /** From the end of an attempt to the start of the next one, so that nobody tries answers out; at most a week. */
  minutesBetweenAttempts: z.int().nonnegative().max(10_080).default(10),
  passPercent: z.int().min(1).max(100).default(60),
  questions: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('single'), ...examAnswer, options: z.array(text).min(3), answer: text }),
        z.strictObject({
          type: z.literal('multiple'),
          ...examAnswer,
          options: z.array(text).min(3),
          answers: z.array(text).min(1),
        }),
        /** `items` stand in the right order; the learner gets them shuffled. */
        z.strictObject({ type: z.literal('ordering'), ...examAnswer, items: z.array(text).min(3) }),
        z.strictObject({
          type: z.literal('numeric'),
          ...examAnswer,
          answer: z.number(),
          tolerance: z.number().nonnegative(),
          unit: text.optional(),
        }),
        /** Compared after trimming, folding spaces and case. */
        z.strictObject({ type: z.literal('text'), ...examAnswer, accepted: z.array(text).min(1) }),
      ]),
    )
    .min(12),
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
export const testimonialsFile = z.array(z.strictObject({ rating: z.int().min(1).max(5), text, name: text, role: text }))

/** `content/categories.yaml`: the cards of the home page. `catalogue` is the catalogue category they lead to, if any. */
export const categoriesFile = z.array(
  z.strictObject({ name: text, courses: text, icon: slug, catalogue: z.enum(courseCategories).optional() }),
)

/** Whole days before the history was stored. */
const daysAgo = z.int().min(1).max(3650)

/** `content/demo-learner.yaml`, which may be missing: the demo learner's history. */
export const demoLearnerFile = z.strictObject({
  profile: z.strictObject({
    joinedDaysAgo: daysAgo,
    phone: text,
    location: text,
    /** The settings form's choices. */
    timezone: z.enum(['America/Los_Angeles', 'America/Denver', 'America/Chicago', 'America/New_York']),
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
    startsAt: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'use a time like 18:30'),
    /** Minutes a day, a list a week, oldest first; the last number is the day before. */
    minutes: z.array(z.array(z.int().min(0).max(240)).length(7)).min(1),
  }),
})
