import type * as z from 'zod'
import { headingAnchors } from './article-markdown.server'
import type { ContentReader } from './content-reader.server'
import type { courseFile } from './course-file.server'
import type { examFile } from './exam-file.server'
import { findLessons } from './lesson-files.server'
import { didYouMean } from './schema-problems'

type CourseParts = {
  course: z.infer<typeof courseFile>
  exam: z.infer<typeof examFile> | null
  /** CommonMark by lesson id. */
  articles: Readonly<Record<string, string>>
}

/** Reports each `explainedIn` of quizzes and the exam that leads to no article or film of the course. */
export function checkExplainedIn(reader: ContentReader, folder: string, { course, exam, articles }: CourseParts) {
  const placed = findLessons(course)
  const lessons = placed.map(({ lesson }) => lesson)
  const check = (file: string, explainedIn: string | undefined, at: readonly PropertyKey[]) => {
    const problem = explainedIn && problemOf(explainedIn, lessons, articles)
    if (problem) reader.report(file, problem, [...at, 'explainedIn'])
  }
  for (const { lesson, at } of placed) {
    if (lesson.kind !== 'quiz') continue
    for (const [index, { explainedIn }] of lesson.questions.entries())
      check(`${folder}/course.yaml`, explainedIn, [...at, 'questions', index])
  }
  for (const [index, { explainedIn }] of (exam?.questions ?? []).entries())
    check(`${folder}/exam.yaml`, explainedIn, ['questions', index])
}

type Lesson = ReturnType<typeof findLessons>[number]['lesson']

function problemOf(explainedIn: string, lessons: readonly Lesson[], articles: CourseParts['articles']): string | null {
  const [lessonId = '', anchor] = explainedIn.split('#')
  const explaining = lessons.filter(({ kind }) => kind === 'article' || kind === 'video')
  const lesson = explaining.find(({ id }) => id === lessonId)
  if (!lesson) {
    const near = didYouMean(
      lessonId,
      explaining.map(({ id }) => id),
    )
    return `\`${lessonId}\` isn’t an article or video of this course.${near} Name one that explains the question.`
  }
  if (anchor === undefined) return null
  if (lesson.kind === 'video') {
    if (/^\d+$/.test(anchor) && Number(anchor) < lesson.durationSeconds) return null
    return `\`${anchor}\` isn’t a second of this film. Write a whole number below ${lesson.durationSeconds}.`
  }
  const anchors = headingAnchors(articles[lessonId] ?? '')
  if (anchors.includes(anchor)) return null
  return `The article has no heading \`${anchor}\`.${didYouMean(anchor, anchors)} Write a heading in lowercase with hyphens.`
}
