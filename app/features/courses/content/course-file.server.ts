import * as z from 'zod'
import { getCurrencyDecimals } from '~/features/school/money'
import { siteCurrency } from '~/server/site/site.server'
import { aliases, count, isoDate, line, slug, text } from '~/server/validation/content-fields'
import { lessonSchema } from '../lessons/lesson-formats.server'

const courseLevels = ['beginner', 'intermediate', 'advanced'] as const

const section = z.strictObject({
  id: slug,
  title: line(120),
  /** All lectures the section will have, those without material yet included. */
  lectures: count,
  durationMinutes: count,
  lessons: z.array(lessonSchema).max(500),
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

/** 0 to 5, one decimal. */
const rating = z.number().min(0).max(5).multipleOf(0.1)

/** In the site's currency, like 49.00; in its minor units it has to fit into `count`. */
const price = z
  .number()
  .nonnegative()
  .refine((price) => minorUnitsOf(price) <= mostMinorUnits, 'Use a lower price.')
  .refine((price) => Number.isInteger(minorUnitsOf(price)), {
    error: () => decimalPlaces(getCurrencyDecimals(siteCurrency())),
  })

const mostMinorUnits = 1_000_000_000

/** 49.99 * 100 isn't quite a whole number: rounded where it's that close. */
function minorUnitsOf(price: number): number {
  const exact = price * 10 ** getCurrencyDecimals(siteCurrency())
  return Math.abs(exact - Math.round(exact)) < 1e-6 * Math.max(1, exact) ? Math.round(exact) : exact
}

function decimalPlaces(digits: number): string {
  return digits === 0
    ? `Use a whole number: ${siteCurrency()} has no decimal places.`
    : `Use at most ${digits} decimal places.`
}

const courseKeys = z.strictObject({
  /** Folders that it had before. */
  aliases,
  title: line(80),
  subtitle: line(160),
  /** One or two sentences for the catalog card; searched. */
  summary: line(240),
  /** Two to four paragraphs for the course page, separated by a blank line. */
  description: text,
  /** An id of `categories.yaml`. */
  category: slug,
  level: z.enum(courseLevels),
  language: line(40),
  /** False keeps a course out of the catalog while its address works: the sample of /OneCourse. */
  inCatalogue: z.boolean().default(true),
  /** False hides the course everywhere. */
  published: z.boolean().default(true),
  price: price.optional(),
  /** The price before the discount; omitted without one. */
  originalPrice: price.optional(),
  /** The last day of the reduced price, in UTC; then `originalPrice` holds. */
  priceUntil: isoDate.optional(),
  /** Until 2026-11 prices were written in whole cents; the check warns of these keys. */
  priceCents: count.optional(),
  originalPriceCents: count.optional(),
  durationHours: z.number().positive().max(100_000),
  lectures: count,
  downloadableResources: count,
  /** From before the course came here; pages show no number while it is 0. */
  students: count.default(0),
  /** Of `reviews`, which count together with those that learners write. One decimal, 0 to 5. */
  rating: rating.default(0),
  reviews: count.default(0),
  lastUpdated: isoDate,
  instructor: z.strictObject({
    name: line(80),
    title: line(120),
    /** For example '12 years in product teams'. */
    experience: line(160),
    students: count.optional(),
    courses: count.optional(),
    rating: rating.optional(),
    bio: text,
    /** Base name of a portrait in `content/instructors/`. */
    image: slug,
  }),
  skills: z.array(line(80)).max(100),
  requirements: z.array(line(300)).max(100),
  whatYouLearn: z.array(line(300)).max(100),
  curriculum: z.array(section).max(200),
  reviewsList: z.array(review).max(2000).default([]),
})

/**
 * `content/courses/SLUG/course.yaml`. The folder's name is the course's ID and address. Prices come
 * out in the currency's minor units.
 */
export const courseFile = courseKeys.transform(({ price, originalPrice, ...course }, context) => {
  for (const [key, written, old] of [
    ['priceCents', price, course.priceCents],
    ['originalPriceCents', originalPrice, course.originalPriceCents],
  ] as const) {
    if (written !== undefined && old !== undefined) {
      context.addIssue({
        code: 'custom',
        path: [key],
        input: old,
        message: 'The price is there twice. Delete this key.',
      })
    }
  }

  const inMinorUnits = (written: number | undefined, cents: number | undefined) =>
    written === undefined ? cents && Math.round(minorUnitsOf(cents / 100)) : minorUnitsOf(written)
  const priceCents = inMinorUnits(price, course.priceCents)
  if (priceCents === undefined) {
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
    priceUntil: course.priceUntil ?? null,
    priceCents,
    originalPriceCents: inMinorUnits(originalPrice, course.originalPriceCents) ?? priceCents,
  }
})
