export type Level = 'beginner' | 'intermediate' | 'advanced'

export const levelNames: Record<Level | 'all', string> = {
  all: 'All Levels',
  beginner: 'Beginner',
  intermediate: 'Intermediate',
  advanced: 'Advanced',
}

const maxSearchLength = 100
/** As nearly every name and search is already. */
const foldedAscii = /^[!-~]+(?: [!-~]+)*$/

/** Control characters, NUL among them, count as spaces: PostgreSQL refuses NUL in a text. */
export function foldSearch(typed: string): string {
  if (typed.length <= maxSearchLength && foldedAscii.test(typed)) {
    return typed
  }

  const folded = typed
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return [...folded].slice(0, maxSearchLength).join('').trim()
}

/**
 * The fixed sample of `/OneCourse` without a parameter: outside the catalog, but searches find it.
 */
export const featuredCourse = 'complete-web-development'
