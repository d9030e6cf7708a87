/** Finds where a course leaves the style sheet of the content that comes with Learnify. */
import type { CourseContent } from '../../app/features/courses/content/course-folder.server'
import { lineProblem, readingTimeProblem, titleProblem, wordingProblems } from './style-sheet'

const mostLetters = { subtitle: 110, summary: 220 }

/** Ids, names of files and addresses are no words. */
const otherKeys = new Set([
  'id',
  'aliases',
  'image',
  'video',
  'file',
  'explainedIn',
  'name',
  'accepted',
  'reviewsList',
])

/**
 * @returns sentences that begin with a file and a place in it, such as `course.yaml,
 * curriculum.0.title: ...`.
 */
export function listStyleProblems({
  exam,
  lessonTexts,
  downloads: _downloads,
  ...course
}: CourseContent): string[] {
  const { subtitle, summary, curriculum } = course
  return [
    ...atPlace('course.yaml, title', [titleProblem(course.title)]),
    ...atPlace('course.yaml, subtitle', [lineProblem(subtitle, 'subtitle', mostLetters.subtitle)]),
    ...atPlace('course.yaml, summary', [lengthProblem(summary, mostLetters.summary)]),
    ...curriculum.flatMap((section, index) => [
      ...atPlace(`course.yaml, curriculum.${index}.title`, [titleProblem(section.title)]),
      ...section.lessons.flatMap(({ id, title }) =>
        atPlace(`course.yaml, lesson ${id}`, [titleProblem(title)]),
      ),
    ]),
    ...wordingIn(course, 'course.yaml'),
    ...wordingIn(exam, 'exam.yaml'),
    ...curriculum.flatMap(({ lessons }) =>
      lessons.flatMap(({ id, durationSeconds }) => {
        const text = lessonTexts[id]
        return text === undefined ? [] : articleProblems(id, text, durationSeconds)
      }),
    ),
  ]
}

function atPlace(place: string, problems: readonly (string | null)[]): string[] {
  return problems.flatMap((problem) => (problem === null ? [] : [`${place}: ${problem}`]))
}

function lengthProblem(summary: string, most: number): string | null {
  return summary.length > most
    ? `\`summary\` has ${summary.length} letters; ${most} fit on a card. Shorten it.`
    : null
}

function articleProblems(id: string, article: string, durationSeconds: number): string[] {
  const file = `lessons/${id}.md`
  const words = article.match(/\S*[\p{L}\d]\S*/gu)?.length ?? 0

  return [
    ...proseLines(article).flatMap(({ text, line }) =>
      atPlace(`${file}:${line}`, wordingProblems(text)),
    ),
    ...atPlace(file, [readingTimeProblem(words, durationSeconds)]),
  ]
}

function wordingIn(value: unknown, place: string): string[] {
  if (typeof value === 'string') {
    return atPlace(place, wordingProblems(value))
  }

  if (!(value instanceof Object)) {
    return []
  }

  return Object.entries(value).flatMap(([key, inner]) =>
    otherKeys.has(key)
      ? []
      : wordingIn(inner, place.includes(', ') ? `${place}.${key}` : `${place}, ${key}`),
  )
}

/**
 * The lines of an article without blocks of code, code within a line, formulas, addresses and
 * paths.
 */
function proseLines(article: string): { text: string; line: number }[] {
  let code = false
  return article.split('\n').flatMap((row, index) => {
    const fence = /^\s*(```|~~~)/.test(row)
    if (fence) {
      code = !code
    }

    if (fence || code) {
      return []
    }

    const text = row.replaceAll(/`[^`]*`|\$[^$]*\$|\]\([^)]*\)|\S*\/\S+/g, ' ')

    return [{ text, line: index + 1 }]
  })
}
