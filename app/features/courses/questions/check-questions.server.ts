import { findFormulaProblem, splitFormulas } from '~/server/markdown/formula.server'
import type { ContentReader } from '../content/content-reader.server'

/** Checks for the questions of quizzes and of exams. */

/** Returns whether two of the texts look the same to a reader. */
export function hasRepeatedTexts(texts: readonly string[]): boolean {
  const visibleTexts = texts.map((text) => text.normalize('NFKC').replace(/\s+/g, ' ').trim())
  return new Set(visibleTexts).size < texts.length
}

/**
 * Reports each formula that can't be rendered. The value is a text, or a list or object that
 * contains texts at any depth.
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
      // YAML positions need the index of a list item as a number.
      const innerKey = Array.isArray(value) ? Number(key) : key
      checkFormulas(reader, file, innerValue, [...path, innerKey])
    }
  }
}
