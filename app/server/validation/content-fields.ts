/**
 * The fields that the schemas of the files in `content/` share. `docs/content.md` explains them to
 * operators. The schemas refuse unknown keys, so that a misspelled key is reported instead of
 * ignored.
 */
import * as z from 'zod'

const visibleText = z.string().trim().min(1).refine(isVisible, 'Write some visible text.')
/** Text of several paragraphs. */
export const text = visibleText.max(20_000)

/** Returns the schema of a name or title in one line. Several spaces become one, as on a page. */
export function line(maxLength: number) {
  return visibleText
    .overwrite((value) => value.replaceAll(/[ \t]+/g, ' '))
    .max(maxLength)
    .regex(/^[^\n]*$/, 'Write it on one line.')
}

export const slug = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lowercase letters, digits and single hyphens.')
export const isoDate = z
  .string()
  .regex(/^(19|20)\d{2}-\d{2}-\d{2}$/, 'Use a date like 2026-09-30.')
  .refine((date) => new Date(date).toJSON()?.startsWith(date), 'Use a date that exists.')
/** A number that fits into a database column and on a page. */
export const count = z.int().nonnegative().max(1_000_000_000)
/**
 * The previous IDs of something. Learners' progress moves from a previous ID to the current one.
 */
export const aliases = z.array(slug).max(50).default([])

/**
 * The place where a question is explained. It is a lesson of the question's course, optionally with
 * a heading of an article or a second of a video.
 */
export const explainedIn = z
  .string()
  .max(300)
  .regex(
    /^[a-z0-9]+(-[a-z0-9]+)*(#[\p{L}\p{M}\p{N}-]+)?$/u,
    'Write a lesson’s id, or like lesson-id#heading.',
  )

/**
 * Matches the names of files that `/media` may send. It excludes hidden files, encoded characters,
 * paths that lead out of the folder and, by its endings, the exam of a course.
 */
export const mediaName =
  /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*\.(?:webm|mp4|vtt|svg|webp|png|jpe?g|avif|hei[cf])$/i

/** Characters that are invisible or break a page, with their names. */
const harmfulCharacters = [
  { pattern: /(?![\t\n\r])\p{Cc}/u, name: 'control character' },
  { pattern: /\p{Surrogate}/u, name: 'half of a character' },
  {
    pattern: /[\u202a-\u202e\u2066-\u2069]/u,
    name: 'invisible character that turns the direction of text',
  },
  { pattern: /[\ufdd0-\ufdef\ufffe\uffff]/u, name: 'code that isn’t a character' },
]

/** Returns a sentence about each line that has a harmful character. */
export function findTextProblems(text: string): { line: number; message: string }[] {
  return text.split('\n').flatMap((content, index) => {
    const message = findTextProblem(content)
    return message ? [{ line: index + 1, message }] : []
  })
}

/** Returns a sentence about the first harmful character of a text, or null. */
export function findTextProblem(text: string): string | null {
  for (const { pattern, name } of harmfulCharacters) {
    const character = pattern.exec(text)?.[0]
    if (character === undefined) {
      continue
    }

    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')

    return `The text has the ${name} U+${code}. Delete it and retype that part.`
  }

  return null
}

/** Returns whether a text has a visible character. Spaces and invisible marks alone are no text. */
export function isVisible(text: string): boolean {
  return /[^\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u.test(text)
}
