import * as z from 'zod'
import { isVisible } from './text-problems'

/**
 * What the schemas of `content/` share; each `*-schema.ts` here is of one kind of file, and `docs/content.md` explains them
 * to operators. Unknown keys are errors, so that a misspelt key is reported and not ignored.
 */

const visible = z.string().trim().min(1).refine(isVisible, 'Write some visible text.')
/** Paragraphs. */
export const text = visible.max(20_000)
/** A name or title: one line that fits a card; spaces as a page shows them. */
export const line = (most: number) =>
  visible
    .overwrite((written) => written.replaceAll(/[ \t]+/g, ' '))
    .max(most)
    .regex(/^[^\n]*$/, 'Write it on one line.')
export const slug = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lowercase letters, digits and single hyphens.')
export const isoDate = z
  .string()
  .regex(/^(19|20)\d{2}-\d{2}-\d{2}$/, 'Use a date like 2026-09-30.')
  .refine((date) => new Date(date).toJSON()?.startsWith(date), 'Use a date that exists.')
/** A count that the database and a page can hold. */
export const count = z.int().nonnegative().max(1_000_000_000)
/** Names that an id had before: what learners did under them stays theirs. */
export const aliases = z.array(slug).max(50).default([])

/** Where a question is explained: a lesson of its course, and optionally a heading or, in a film, a second of it. */
export const explainedIn = z
  .string()
  .max(300)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*(#[\p{L}\p{M}\p{N}-]+)?$/u, 'Write a lesson’s id, or like lesson-id#heading.')

export const courseCategories = ['technology', 'design', 'business', 'marketing', 'photography'] as const
