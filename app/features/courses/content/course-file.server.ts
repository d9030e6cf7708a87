import * as z from 'zod'
import { getCurrencyDecimals, maxAmountMinor, toMinorUnits } from '~/features/school/money'
import { writeFormulasAsText } from '~/server/markdown/formula-text.server'
import { siteCurrency } from '~/server/site/site.server'
import { aliases, count, isoDate, line, slug, text } from '~/server/validation/content-fields'
import { readableLine } from '../lessons/lesson-format.server'
import { lessonSchema } from '../lessons/lesson-formats.server'

const courseLevels = ['beginner', 'intermediate', 'advanced'] as const

const section = z.strictObject({
  id: slug,
  title: readableLine(120),
  /**
   * The number of lessons that the section will have. Without it, those that it lists are counted.
   */
  lectures: count.optional(),
  /** The length of all of them. Without it, the lengths of the listed lessons are added up. */
  durationMinutes: count.optional(),
  lessons: z.array(lessonSchema).max(500),
})

type Section = z.infer<typeof section>

const review = z.strictObject({
  id: slug,
  /** Without it, the page shows 'Anonymous'. */
  name: line(80).nullable().default(null),
  rating: z.int().min(1).max(5),
  /** Without it, the page shows 'Recently'. */
  date: isoDate.nullable().default(null),
  /** Without it, the page shows 'No comment provided'. */
  comment: text.nullable().default(null),
  helpful: count.default(0),
})

/** A number from 0 to 5 with at most one decimal. */
const rating = z.number().min(0).max(5).multipleOf(0.1)

/** A price in the site's currency, like 49.00. In the smallest unit it has to fit into `count`. */
const price = z
  .number()
  .nonnegative()
  .refine((price) => toPriceMinor(price) <= maxAmountMinor, 'Use a lower price.')
  .refine((price) => Number.isInteger(toPriceMinor(price)), {
    error: () => describeDecimalPlaces(getCurrencyDecimals(siteCurrency())),
  })

/** Converts a price to the smallest unit of the site's currency. */
function toPriceMinor(price: number): number {
  return toMinorUnits(price, siteCurrency())
}

function describeDecimalPlaces(decimals: number): string {
  return decimals === 0
    ? `Use a whole number: ${siteCurrency()} has no decimal places.`
    : `Use at most ${decimals} decimal places.`
}

const courseEntries = z.strictObject({
  /** Previous names of the course's folder. */
  aliases,
  title: readableLine(80),
  subtitle: readableLine(160),
  /** One or two sentences for the catalog card; searched. */
  summary: readableLine(240),
  /** Two to four paragraphs for the course page, separated by a blank line. */
  description: text.overwrite(writeFormulasAsText),
  /** The ID of a category in `categories.yaml`. */
  category: slug,
  level: z.enum(courseLevels),
  language: line(40),
  /** False keeps a course out of the catalog while its URL works, like the sample of /OneCourse. */
  inCatalogue: z.boolean().default(true),
  /** False hides the course everywhere. */
  published: z.boolean().default(true),
  price: price.optional(),
  /** The price before the discount; omitted without one. */
  originalPrice: price.optional(),
  /** The last day of the reduced price, in UTC. After it, the course costs `originalPrice`. */
  priceUntil: isoDate.optional(),
  /** The keys of prices until 2026-11, in whole cents. The check warns about them. */
  priceCents: count.optional(),
  originalPriceCents: count.optional(),
  /** Without it, the sections' minutes are added up. */
  durationHours: z.number().positive().max(100_000).optional(),
  /** The number of lessons in all sections. Without it, they are counted. */
  lectures: count.optional(),
  /** The number of files that the course will have. Without it, the lessons' files are counted. */
  downloadableResources: count.optional(),
  /** The number of earlier learners on other platforms. Pages show no number while it is 0. */
  students: count.default(0),
  /** The rating by the earlier `reviews`, which count together with the learners' reviews. */
  rating: rating.default(0),
  reviews: count.default(0),
  lastUpdated: isoDate,
  instructor: z.strictObject({
    name: line(80),
    title: line(120),
    /** A text such as '12 years in product teams'. */
    experience: line(160),
    students: count.optional(),
    courses: count.optional(),
    rating: rating.optional(),
    bio: text,
    /** Base name of a portrait in `content/instructors/`. */
    image: slug,
  }),
  skills: z.array(readableLine(80)).max(100),
  requirements: z.array(readableLine(300)).max(100),
  whatYouLearn: z.array(readableLine(300)).max(100),
  curriculum: z.array(section).max(200),
  reviewsList: z.array(review).max(2000).default([]),
})

/**
 * The format of `content/courses/SLUG/course.yaml`. The folder's name is the course's ID and a part
 * of its URL. The parsed prices are in the currency's smallest unit.
 */
export const courseFileSchema = courseEntries.transform(
  ({ price, originalPrice, priceCents, originalPriceCents, ...course }, context) => {
    const reportDuplicatePrice = (legacyKey: string, legacyPrice: number) =>
      context.addIssue({
        code: 'custom',
        path: [legacyKey],
        input: legacyPrice,
        message: 'The price is there twice. Delete this key.',
      })

    if (price !== undefined && priceCents !== undefined) {
      reportDuplicatePrice('priceCents', priceCents)
    }

    if (originalPrice !== undefined && originalPriceCents !== undefined) {
      reportDuplicatePrice('originalPriceCents', originalPriceCents)
    }

    const priceMinor = findAmount(price, priceCents)
    if (priceMinor === undefined) {
      context.addIssue({
        code: 'invalid_type',
        expected: 'number',
        path: ['price'],
        input: undefined,
      })

      return z.NEVER
    }

    return {
      ...course,
      ...completeNumbers(course),
      priceUntil: course.priceUntil ?? null,
      priceMinor,
      originalPriceMinor: findAmount(originalPrice, originalPriceCents) ?? priceMinor,
    }
  },
)

export type CourseFile = z.infer<typeof courseFileSchema>

/** Returns the numbers that the page of a course shows. A missing one follows from the lessons. */
function completeNumbers(course: Omit<z.infer<typeof courseEntries>, 'price' | 'originalPrice'>) {
  const curriculum = course.curriculum.map(completeSection)
  const minutes = sum(curriculum.map(({ durationMinutes }) => durationMinutes))

  return {
    curriculum,
    lectures: course.lectures ?? sum(curriculum.map(({ lectures }) => lectures)),
    durationHours: course.durationHours ?? toHours(minutes),
    downloadableResources: course.downloadableResources ?? countFiles(course.curriculum),
  }
}

function completeSection({ lectures, durationMinutes, ...entries }: Section) {
  const seconds = sum(entries.lessons.map(({ durationSeconds }) => durationSeconds))

  return {
    ...entries,
    lectures: lectures ?? entries.lessons.length,
    durationMinutes: durationMinutes ?? Math.ceil(seconds / 60),
  }
}

/** Rounds to a tenth of an hour. A course is never shorter than that. */
function toHours(minutes: number): number {
  return Math.max(1, Math.round(minutes / 6)) / 10
}

function countFiles(curriculum: readonly Section[]): number {
  const lessons = curriculum.flatMap(({ lessons }) => lessons)
  const files = lessons.flatMap((lesson) =>
    'downloads' in lesson ? lesson.downloads.map(({ file }) => file) : [],
  )

  return new Set(files).size
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Returns an amount in the currency's smallest unit, from the current key or the legacy key. */
function findAmount(price: number | undefined, legacyCents: number | undefined) {
  if (price !== undefined) {
    return toPriceMinor(price)
  }

  return legacyCents === undefined ? undefined : Math.round(toPriceMinor(legacyCents / 100))
}
