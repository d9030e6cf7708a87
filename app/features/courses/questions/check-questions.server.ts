import { findFormulaProblem, splitFormulas } from '~/server/markdown/formula.server'
import type { ContentReader } from '../content/content-reader.server'

/** Checks that the questions of quizzes and of exams have in common. */

/** Whether two texts look the same to a reader. */
export function hasRepeatedTexts(texts: readonly string[]): boolean {
  const visibleTexts = texts.map((text) => text.normalize('NFKC').replace(/\s+/g, ' ').trim())
  return new Set(visibleTexts).size < texts.length
}

/**
 * Reports each formula that can't be rendered, in a text or in all texts of an object.
 *
 * @param path where the value is in the file
 */
export function checkFormulas(
  reader: ContentReader,
  file: string,
  value: unknown,
  path: readonly PropertyKey[],
): void {
  if (typeof value === 'string') {
    for (const part of splitFormulas(value)) {
      const problem = typeof part === 'string' ? null : findFormulaProblem(part)
      if (problem) {
        reader.report(file, problem, path)
      }
    }

    return
  }

  if (value instanceof Object) {
    for (const [key, innerValue] of Object.entries(value)) {
      const innerKey = Array.isArray(value) ? Number(key) : key
      checkFormulas(reader, file, innerValue, [...path, innerKey])
    }
  }
}
