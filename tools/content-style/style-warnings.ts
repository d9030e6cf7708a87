/**
 * Finds where a course does not follow the rules of style for the content that comes with Learnify.
 */
import type { CourseContent } from '../../app/features/courses/content/course-folder.server'
import {
  findLineProblem,
  findReadingTimeProblem,
  findTitleProblem,
  listWordingProblems,
} from './style-sheet'

const maxLetters = { subtitle: 110, summary: 220 }

/** The keys whose values are no words, but ids, names of files, URLs and the like. */
const keysWithoutWords = new Set([
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
 * Returns a sentence for each problem. It begins with a file and a place in the file, such as
 * `course.yaml, curriculum.0.title: ...`.
 */
export function listStyleProblems({
  exam,
  lessonTexts,
  downloads: _downloads,
  ...course
}: CourseContent): string[] {
  const { title, subtitle, summary, curriculum } = course
  const lessons = curriculum.flatMap((section) => section.lessons)

  return [
    ...addPlace('course.yaml, title', [findTitleProblem(title)]),
    ...addPlace('course.yaml, subtitle', [
      findLineProblem(subtitle, 'subtitle', maxLetters.subtitle),
    ]),
    ...addPlace('course.yaml, summary', [findSummaryProblem(summary)]),
    ...curriculum.flatMap((section, index) => [
      ...addPlace(`course.yaml, curriculum.${index}.title`, [findTitleProblem(section.title)]),
      ...section.lessons.flatMap((lesson) =>
        addPlace(`course.yaml, lesson ${lesson.id}`, [findTitleProblem(lesson.title)]),
      ),
    ]),
    ...listWordingProblemsIn(course, 'course.yaml'),
    ...listWordingProblemsIn(exam, 'exam.yaml'),
    ...lessons.flatMap(({ id, durationSeconds }) => {
      const text = lessonTexts.get(id)
      return text === undefined ? [] : listArticleProblems(id, text, durationSeconds)
    }),
  ]
}

function addPlace(place: string, problems: readonly (string | null)[]): string[] {
  return problems.filter((problem) => problem !== null).map((problem) => `${place}: ${problem}`)
}

function findSummaryProblem(summary: string): string | null {
  return summary.length > maxLetters.summary
    ? `\`summary\` has ${summary.length} letters; ${maxLetters.summary} fit on a card. Shorten it.`
    : null
}

/** Lists the problems of all texts in a value, such as a parsed YAML file. */
function listWordingProblemsIn(value: unknown, place: string): string[] {
  if (typeof value === 'string') {
    return addPlace(place, listWordingProblems(value))
  }

  if (!(value instanceof Object)) {
    return []
  }

  // The place of a key is "file, key", and that of a nested key is "file, key.key".
  const separator = place.includes(', ') ? '.' : ', '
  return Object.entries(value)
    .filter(([key]) => !keysWithoutWords.has(key))
    .flatMap(([key, nestedValue]) =>
      listWordingProblemsIn(nestedValue, `${place}${separator}${key}`),
    )
}

function listArticleProblems(id: string, article: string, durationSeconds: number): string[] {
  const file = `lessons/${id}.md`
  const wordCount = article.match(/\S*[\p{L}\d]\S*/gu)?.length ?? 0

  return [
    ...listProseLines(article).flatMap(({ text, lineNumber }) =>
      addPlace(`${file}:${lineNumber}`, listWordingProblems(text)),
    ),
    ...addPlace(file, [findReadingTimeProblem(wordCount, durationSeconds)]),
  ]
}

/** Lists the lines of an article without code, formulas, URLs and paths. */
function listProseLines(article: string): { text: string; lineNumber: number }[] {
  let isCode = false
  return article.split('\n').flatMap((line, index) => {
    const isFence = /^\s*(```|~~~)/.test(line)
    if (isFence) {
      isCode = !isCode
    }

    if (isFence || isCode) {
      return []
    }

    const text = line.replaceAll(/`[^`]*`|\$[^$]*\$|\]\([^)]*\)|\S*\/\S+/g, ' ')
    return [{ text, lineNumber: index + 1 }]
  })
}
