import type * as z from 'zod'
import type { ContentReader } from './content-reader.server'
import type { courseFile } from './course-schema'
import type { examFile } from './exam-schema'
import { findLessons } from './lesson-files.server'
import { lineProblem, readingTimeProblem, titleProblem, wordingProblems } from './style-sheet'

type CourseParts = {
  course: z.infer<typeof courseFile>
  exam: z.infer<typeof examFile> | null
  /** CommonMark by lesson id. */
  articles: Readonly<Record<string, string>>
}

type Place = readonly PropertyKey[]

/** Titles of one course that are named in full: a course of another style would fill the screen. */
const titlesNamed = 3

/** Warns where a course leaves the style sheet of `docs/content.md`. */
export function warnOfStyle(reader: ContentReader, folder: string, { course, exam, articles }: CourseParts) {
  const file = `${folder}/course.yaml`
  warnOfTitles(reader, file, course)
  for (const [key, most] of [['subtitle', 110] as const, ['summary', 220] as const]) {
    const problem = key === 'subtitle' ? lineProblem(course.subtitle, key, most) : lengthProblem(course.summary, most)
    if (problem) reader.warn(file, problem, [key])
  }
  warnOfWords(reader, file, course, [])
  warnOfWords(reader, `${folder}/exam.yaml`, exam, [])
  for (const { lesson } of findLessons(course)) {
    const article = articles[lesson.id]
    if (lesson.kind !== 'article' || article === undefined) continue
    const path = `${folder}/lessons/${lesson.id}.md`
    for (const { text, line } of proseLines(article))
      for (const problem of wordingProblems(text)) reader.warn(path, problem, line)
    const problem = readingTimeProblem(article.match(/\S*[\p{L}\d]\S*/gu)?.length ?? 0, lesson.durationSeconds)
    if (problem) reader.warn(path, problem)
  }
}

function lengthProblem(summary: string, most: number): string | null {
  return summary.length > most ? `\`summary\` has ${summary.length} letters; ${most} fit on a card. Shorten it.` : null
}

function warnOfTitles(reader: ContentReader, file: string, course: CourseParts['course']) {
  const titles: { title: string; at: Place }[] = [
    { title: course.title, at: ['title'] },
    ...course.curriculum.map(({ title }, index) => ({ title, at: ['curriculum', index, 'title'] })),
    ...findLessons(course).map(({ lesson, at }) => ({ title: lesson.title, at: [...at, 'title'] })),
  ]
  const wrong = titles.flatMap(({ title, at }) => {
    const problem = titleProblem(title)
    return problem ? [{ problem, at }] : []
  })
  for (const { problem, at } of wrong.slice(0, titlesNamed)) reader.warn(file, problem, at)
  const more = wrong.length - titlesNamed
  if (more > 0)
    reader.warn(file, `${more} more titles of sections and lessons aren’t in title case.`, wrong[titlesNamed]?.at)
}

/** Ids, names of files and addresses are no words. */
const otherKeys = new Set(['id', 'aliases', 'image', 'video', 'file', 'explainedIn', 'name', 'accepted', 'reviewsList'])

function warnOfWords(reader: ContentReader, file: string, value: unknown, at: Place) {
  if (typeof value === 'string') for (const problem of wordingProblems(value)) reader.warn(file, problem, at)
  if (!(value instanceof Object)) return
  for (const [key, inner] of Object.entries(value))
    if (!otherKeys.has(key)) warnOfWords(reader, file, inner, [...at, Array.isArray(value) ? Number(key) : key])
}

/** The lines of an article without blocks of code, code within a line, formulas, addresses and paths. */
function proseLines(article: string): { text: string; line: number }[] {
  let code = false
  return article.split('\n').flatMap((row, index) => {
    const fence = /^\s*(```|~~~)/.test(row)
    if (fence) code = !code
    if (fence || code) return []
    const text = row.replaceAll(/`[^`]*`|\$[^$]*\$|\]\([^)]*\)|\S*\/\S+/g, ' ')
    return [{ text, line: index + 1 }]
  })
}
