import * as z from 'zod'

/**
 * Fields that the schemas of `content/` share; each `*-schema.ts` is for one kind of file, and
 * `docs/content.md` explains them to operators. Unknown keys are errors, so that a misspelt key is
 * reported and not ignored.
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
/** Former IDs. Learners' work under them moves to the present one. */
export const aliases = z.array(slug).max(50).default([])

/**
 * Where a question is explained: a lesson of its course, and optionally a heading or, in a video, a
 * second of it.
 */
export const explainedIn = z
  .string()
  .max(300)
  .regex(
    /^[a-z0-9]+(-[a-z0-9]+)*(#[\p{L}\p{M}\p{N}-]+)?$/u,
    'Write a lesson’s id, or like lesson-id#heading.',
  )

/**
 * Files that `/media` sends: plain names only, no hidden file, no way out of the folder, nothing
 * encoded; and of a course's files never its exam.
 */
export const mediaName =
  /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*\.(?:webm|mp4|vtt|svg|webp|png|jpe?g|avif|hei[cf])$/i

/** Characters that break a screen or are invisible, and their names. */
const harmful = [
  { pattern: /(?![\t\n\r])\p{Cc}/u, name: 'control character' },
  { pattern: /\p{Surrogate}/u, name: 'half of a character' },
  {
    pattern: /[\u202a-\u202e\u2066-\u2069]/u,
    name: 'invisible character that turns the direction of text',
  },
  { pattern: /[\ufdd0-\ufdef\ufffe\uffff]/u, name: 'code that isn’t a character' },
]

/** @returns a sentence for each line that a page cannot show safely. */
export function textProblems(text: string): { line: number; problem: string }[] {
  return text.split('\n').flatMap((content, index) => {
    const problem = textProblem(content)
    return problem ? [{ line: index + 1, problem }] : []
  })
}

/** @returns the problem of a text, or null. */
export function textProblem(text: string): string | null {
  for (const { pattern, name } of harmful) {
    const found = pattern.exec(text)?.[0]
    if (found === undefined) {
      continue
    }

    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')

    return `The text has the ${name} U+${code}. Delete it and retype that part.`
  }

  return null
}

/** Whether a reader sees anything at all: spaces and invisible marks alone are no text. */
export function isVisible(text: string): boolean {
  return /[^\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u.test(text)
}
