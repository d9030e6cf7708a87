import path from 'node:path'
import * as z from 'zod'
import { hasRepeatedTexts } from '~/features/courses/questions/question-kind.server'
import { headingAnchors, readArticleParts } from '../markdown/article-markdown.server'
import { formulaProblem, splitFormulas } from '../markdown/formula.server'
import { mediaName } from './content-fields'
import type { ContentReader } from './content-reader.server'
import { type courseFile, lessonEntry } from './course-file.server'
import type { examFile } from './exam-file.server'
import { checkPicture, findPictureFile, pictureRules } from './picture-files.server'
import { didYouMean } from './schema-problems'
import { checkVideo } from './video-files.server'

type Course = z.infer<typeof courseFile>
type Lesson = Course['curriculum'][number]['lessons'][number]
type Quiz = Extract<Lesson, { kind: 'quiz' }>
/** A lesson and its place in `course.yaml`. */
export type PlacedLesson = { lesson: Lesson; at: readonly PropertyKey[] }

const anyCurriculum = z.object({
  curriculum: z
    .array(z.object({ lessons: z.array(z.unknown()).catch([]) }).catch({ lessons: [] }))
    .catch([]),
})

/**
 * The valid lessons, even if the file has problems elsewhere, so that one run reports everything.
 */
export function findLessons(value: unknown): PlacedLesson[] {
  const { curriculum } = anyCurriculum.catch({ curriculum: [] }).parse(value)
  return curriculum.flatMap(({ lessons }, section) =>
    lessons.flatMap((entry, place) => {
      const { data: lesson } = lessonEntry.safeParse(entry)
      return lesson ? [{ lesson, at: ['curriculum', section, 'lessons', place] }] : []
    }),
  )
}

/**
 * Reads the material of a course's lessons and reports its problems.
 *
 * @returns the articles, CommonMark by lesson id.
 */
export async function readLessons(
  reader: ContentReader,
  folder: string,
  lessons: readonly PlacedLesson[],
): Promise<Record<string, string>> {
  const articles: Record<string, string> = {}
  for (const { lesson, at } of lessons) {
    if (lesson.kind === 'article') {
      articles[lesson.id] = await readArticle(reader, `${folder}/lessons/${lesson.id}.md`)
    }

    if (lesson.kind === 'video') {
      await checkVideo(reader, `${folder}/videos/${lesson.video}`, lesson.durationSeconds)
    }

    if (lesson.kind === 'quiz') {
      checkQuiz(reader, `${folder}/course.yaml`, lesson, at)
    }
  }

  return articles
}

/**
 * Checks the whole curriculum: IDs and aliases that appear twice, counts that do not fit, articles
 * without a lesson.
 */
export function checkCurriculum(reader: ContentReader, folder: string, course: Course) {
  const file = `${folder}/course.yaml`
  const [sections, names] = [new Set<string>(), new Set<string>()]
  const lessons = findLessons(course)
  const ids = new Set(lessons.map(({ lesson }) => lesson.id))
  for (const [index, section] of course.curriculum.entries()) {
    const at = ['curriculum', index]
    if (sections.has(section.id)) {
      reader.report(
        file,
        `The section id \`${section.id}\` appears twice. Give one of them another id.`,
        [...at, 'id'],
      )
    }

    sections.add(section.id)
    if (section.lessons.length > section.lectures) {
      reader.report(
        file,
        `\`lectures\` is ${section.lectures}, but the section lists ${section.lessons.length} lessons. Write at least ${section.lessons.length}.`,
        [...at, 'lectures'],
      )
    }
  }

  for (const { lesson, at } of lessons) {
    if (names.has(lesson.id)) {
      reader.report(
        file,
        `The lesson id \`${lesson.id}\` appears twice. Give one of them another id.`,
        [...at, 'id'],
      )
    }

    names.add(lesson.id)
  }

  for (const { lesson, at } of lessons) {
    for (const alias of lesson.aliases) {
      if (ids.has(alias)) {
        reader.report(
          file,
          `The alias \`${alias}\` is the id of a lesson here. Delete the alias or that lesson.`,
          [...at, 'aliases'],
        )
      } else if (names.has(alias)) {
        reader.report(
          file,
          `The alias \`${alias}\` appears twice. Keep it only on the lesson that replaced it.`,
          [...at, 'aliases'],
        )
      }

      names.add(alias)
    }
  }

  const articles = lessons.flatMap(({ lesson }) => (lesson.kind === 'article' ? [lesson.id] : []))
  for (const name of reader.list(`${folder}/lessons`)) {
    if (articles.includes(name.replace(/\.md$/, ''))) {
      continue
    }

    const problem = `No article in course.yaml has this id.${didYouMean(name.replace(/\.md$/, ''), articles)} Add the lesson there, rename the file or delete it.`
    reader.report(`${folder}/lessons/${name}`, problem)
  }
}

async function readArticle(reader: ContentReader, file: string): Promise<string> {
  const text = await reader.text(
    file,
    'Write the article in it, or remove its lesson from course.yaml.',
  )
  if (text?.trim() === '') {
    reader.report(file, 'The article is empty. Write its text.')
  }

  const { formulaProblems, links, oddities } = readArticleParts(text ?? '')
  for (const { line, text } of formulaProblems) {
    reader.report(file, text, line)
  }

  for (const { line, text } of oddities) {
    reader.warn(file, text, line)
  }

  for (const { line, text: address, picture } of links) {
    const problem = await addressProblem(reader, file, { address, picture, article: text ?? '' })
    if (problem) {
      reader.report(file, problem, line)
    }
  }

  return text ?? ''
}

type Reference = { address: string; picture: boolean; article: string }

/** @returns why a link or picture of an article leads nowhere; null if it may lead somewhere. */
async function addressProblem(
  reader: ContentReader,
  file: string,
  { address, picture, article }: Reference,
): Promise<string | null> {
  const what = picture ? 'picture' : 'file'
  if (address.startsWith('/media/')) {
    const target = address.slice('/media/'.length).replace(/[?#].*$/, '')
    if (picture && !mediaName.test(target)) {
      return `The picture \`${target}\` can’t be shown. Use letters, digits, hyphens and underscores, and an ending like .png, .jpg or .webp.`
    }

    const found = picture ? await findPictureFile(reader.path(''), target) : reader.has(target)
    if (!found) {
      return `There is no ${what} \`${target}\`.${nearFile(reader, target)} Add it or correct the address.`
    }

    if (picture && !target.endsWith('.svg')) {
      await checkPicture(reader, target, pictureRules.figure, '')
    }

    return null
  }

  if (address.startsWith('#')) {
    const anchors = headingAnchors(article)
    const heading = address.slice(1)
    if (anchors.includes(heading) || anchors.some((anchor) => heading === `part-${anchor}`)) {
      return null
    }

    return `The article has no heading \`${heading}\`.${didYouMean(heading, anchors)} Write a heading in lowercase with hyphens.`
  }

  if (/^([a-z][a-z0-9+.-]*:|\/)/i.test(address)) {
    return null
  }

  const course = file.split('/').slice(0, 2).join('/')
  const relative = address.replace(/[?#].*$/, '')
  const found = [
    path.posix.join(course, 'lessons', relative),
    path.posix.join(course, relative),
  ].find((place) => place.startsWith(`${course}/`) && reader.has(place))
  const [, lesson] =
    /^(?:\.\/)?(?:\.\.\/lessons\/|lessons\/)?([a-z0-9-]+)\.md$/.exec(relative) ?? []
  const whole = lesson
    ? `/Learn/${course.slice('courses/'.length)}/${lesson}`
    : `/media/${found ?? `${course}/figures/NAME.webp`}`

  return picture
    ? `The picture \`${address}\` leads nowhere from the lesson’s page. Write the whole address, like \`${whole}\`.`
    : `The link \`${address}\` leads nowhere from the lesson’s page. Write the whole address, like \`${whole}\`.`
}

function nearFile(reader: ContentReader, target: string): string {
  const { dir, base } = path.posix.parse(target)
  return didYouMean(base, reader.list(dir))
}

/** An answer is stored under the wording of its question, so questions have to differ. */
function checkQuiz(
  reader: ContentReader,
  file: string,
  { questions }: Quiz,
  at: readonly PropertyKey[],
) {
  const words = questions.map(({ question }) => question)
  for (const [index, { question, options }] of questions.entries()) {
    const here = [...at, 'questions', index]
    checkFormulas(reader, file, questions[index], here)
    if (!options.some(({ correct }) => correct)) {
      reader.report(file, 'This question has no correct option. Add `correct: true` to one.', here)
    }

    if (words.indexOf(question) !== index) {
      reader.report(file, 'This question appears twice in its quiz. Reword or delete one.', here)
    }

    if (hasRepeatedTexts(options.map(({ text }) => text))) {
      reader.report(file, 'Two options of this question read the same. Reword or delete one.', here)
    }
  }
}

/** Reports each formula that cannot be rendered in any text of a question. */
export function checkFormulas(
  reader: ContentReader,
  file: string,
  value: unknown,
  at: readonly PropertyKey[],
) {
  if (typeof value === 'string') {
    for (const part of splitFormulas(value)) {
      const problem = typeof part === 'string' ? null : formulaProblem(part)
      if (problem) {
        reader.report(file, problem, at)
      }
    }
  } else if (value instanceof Object) {
    for (const [key, inner] of Object.entries(value)) {
      checkFormulas(reader, file, inner, [...at, Array.isArray(value) ? Number(key) : key])
    }
  }
}

type CourseParts = {
  course: z.infer<typeof courseFile>
  exam: z.infer<typeof examFile> | null
  /** CommonMark by lesson id. */
  articles: Readonly<Record<string, string>>
}

/**
 * Reports each `explainedIn` of quizzes and the exam that leads to no article or video of the
 * course.
 */
export function checkExplainedIn(
  reader: ContentReader,
  folder: string,
  { course, exam, articles }: CourseParts,
) {
  const placed = findLessons(course)
  const lessons = placed.map(({ lesson }) => lesson)
  const check = (file: string, explainedIn: string | undefined, at: readonly PropertyKey[]) => {
    const problem = explainedIn && explainedInProblem(explainedIn, lessons, articles)
    if (problem) {
      reader.report(file, problem, [...at, 'explainedIn'])
    }
  }

  for (const { lesson, at } of placed) {
    if (lesson.kind !== 'quiz') {
      continue
    }

    for (const [index, { explainedIn }] of lesson.questions.entries()) {
      check(`${folder}/course.yaml`, explainedIn, [...at, 'questions', index])
    }
  }

  for (const [index, { explainedIn }] of (exam?.questions ?? []).entries()) {
    check(`${folder}/exam.yaml`, explainedIn, ['questions', index])
  }
}

function explainedInProblem(
  explainedIn: string,
  lessons: readonly Lesson[],
  articles: CourseParts['articles'],
): string | null {
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

  if (anchor === undefined) {
    return null
  }

  if (lesson.kind === 'video') {
    if (/^\d+$/.test(anchor) && Number(anchor) < lesson.durationSeconds) {
      return null
    }

    return `\`${anchor}\` isn’t a second of this video. Write a whole number below ${lesson.durationSeconds}.`
  }

  const anchors = headingAnchors(articles[lessonId] ?? '')
  if (anchors.includes(anchor)) {
    return null
  }

  return `The article has no heading \`${anchor}\`.${didYouMean(anchor, anchors)} Write a heading in lowercase with hyphens.`
}
