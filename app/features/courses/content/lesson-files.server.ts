import * as z from 'zod'
import { didYouMean } from '~/server/validation/schema-problems'
import { byCount } from '~/ui/format-count'
import { getLessonFormat, type Lesson, lessonSchema } from '../lessons/lesson-formats.server'
import type { ContentReader } from './content-reader.server'
import type { CourseFile } from './course-file.server'
import type { ExamFile } from './exam-file.server'

/** A lesson and its place in course.yaml. */
type PlacedLesson = { lesson: Lesson; yamlPath: readonly PropertyKey[] }

const anyCurriculum = z.object({
  curriculum: z
    .array(z.object({ lessons: z.array(z.unknown()).catch([]) }).catch({ lessons: [] }))
    .catch([]),
})

/**
 * Returns the valid lessons of a course.yaml that may have problems elsewhere, so that one run
 * reports the problems of all files.
 */
export function findLessons(value: unknown): PlacedLesson[] {
  const { curriculum } = anyCurriculum.catch({ curriculum: [] }).parse(value)
  return curriculum.flatMap((section, sectionIndex) =>
    section.lessons.flatMap((entry, lessonIndex) => {
      const { data: lesson } = lessonSchema.safeParse(entry)
      return lesson
        ? [{ lesson, yamlPath: ['curriculum', sectionIndex, 'lessons', lessonIndex] }]
        : []
    }),
  )
}

/**
 * Reads the files of all lessons and reports their problems.
 *
 * @returns the texts by lesson ID; lessons without a text are not among them
 */
export async function readLessons(
  reader: ContentReader,
  folder: string,
  placedLessons: readonly PlacedLesson[],
): Promise<Map<string, string>> {
  const lessonTexts = new Map<string, string>()
  for (const { lesson, yamlPath } of placedLessons) {
    const text = await getLessonFormat(lesson).read(reader, { lesson, folder, yamlPath })
    if (text !== null) {
      lessonTexts.set(lesson.id, text)
    }
  }

  return lessonTexts
}

/**
 * Checks the curriculum as a whole: IDs and aliases that appear twice, sections with more lessons
 * than `lectures` or longer ones than `durationMinutes`, and article files without a lesson.
 */
export function checkCurriculum(reader: ContentReader, folder: string, course: CourseFile) {
  const courseFilePath = `${folder}/course.yaml`
  const placedLessons = findLessons(course)

  checkSections(reader, courseFilePath, course)
  checkLessonIds(reader, courseFilePath, placedLessons)
  checkLessonAliases(reader, courseFilePath, placedLessons)
  checkUnusedTextFiles(reader, folder, placedLessons)
}

function checkSections(reader: ContentReader, file: string, course: CourseFile) {
  const sectionIds = new Set<string>()
  for (const [index, section] of course.curriculum.entries()) {
    const yamlPath = ['curriculum', index]
    if (sectionIds.has(section.id)) {
      reader.report(
        file,
        `The section id \`${section.id}\` appears twice. Give one of them another id.`,
        [...yamlPath, 'id'],
      )
    }

    sectionIds.add(section.id)
    if (section.lessons.length > section.lectures) {
      reader.report(
        file,
        `\`lectures\` is ${section.lectures}, but the section lists ${section.lessons.length} ${byCount(section.lessons.length, 'lesson', 'lessons')}. Write at least ${section.lessons.length}.`,
        [...yamlPath, 'lectures'],
      )
    }

    const seconds = section.lessons.reduce((total, lesson) => total + lesson.durationSeconds, 0)
    const listedMinutes = Math.floor(seconds / 60)
    if (section.durationMinutes < listedMinutes) {
      reader.warn(
        file,
        `\`durationMinutes\` is ${section.durationMinutes}, but the listed lessons take ${listedMinutes}. Correct it, or leave it out.`,
        [...yamlPath, 'durationMinutes'],
      )
    }
  }
}

function checkLessonIds(
  reader: ContentReader,
  file: string,
  placedLessons: readonly PlacedLesson[],
) {
  const lessonIds = new Set<string>()
  for (const { lesson, yamlPath } of placedLessons) {
    if (lessonIds.has(lesson.id)) {
      reader.report(
        file,
        `The lesson id \`${lesson.id}\` appears twice. Give one of them another id.`,
        [...yamlPath, 'id'],
      )
    }

    lessonIds.add(lesson.id)
  }
}

function checkLessonAliases(
  reader: ContentReader,
  file: string,
  placedLessons: readonly PlacedLesson[],
) {
  const lessonIds = new Set(placedLessons.map(({ lesson }) => lesson.id))
  const checkedAliases = new Set<string>()
  const placedAliases = placedLessons.flatMap(({ lesson, yamlPath }) =>
    lesson.aliases.map((alias) => ({ alias, yamlPath: [...yamlPath, 'aliases'] })),
  )

  for (const { alias, yamlPath } of placedAliases) {
    if (lessonIds.has(alias)) {
      reader.report(
        file,
        `The alias \`${alias}\` is the id of a lesson here. Delete the alias or that lesson.`,
        yamlPath,
      )
    } else if (checkedAliases.has(alias)) {
      reader.report(
        file,
        `The alias \`${alias}\` appears twice. Keep it only on the lesson that replaced it.`,
        yamlPath,
      )
    }

    checkedAliases.add(alias)
  }
}

function checkUnusedTextFiles(
  reader: ContentReader,
  folder: string,
  placedLessons: readonly PlacedLesson[],
) {
  const fileNames = placedLessons.flatMap(({ lesson }) =>
    getLessonFormat(lesson).listTextFiles(lesson),
  )
  const lessonIds = fileNames.map((fileName) => fileName.replace(/\.md$/, ''))

  for (const name of reader.listNames(`${folder}/lessons`)) {
    if (!fileNames.includes(name)) {
      const suggestion = didYouMean(name.replace(/\.md$/, ''), lessonIds)
      const problem = `No article in course.yaml has this id.${suggestion} Add the lesson there, rename the file or delete it.`
      reader.report(`${folder}/lessons/${name}`, problem)
    }
  }
}

type CourseParts = {
  course: CourseFile
  exam: ExamFile | null
  /** The texts of lessons, by lesson ID. */
  lessonTexts: ReadonlyMap<string, string>
}

/** Reports each `explainedIn` of a question that leads to no place in the course. */
export function checkExplainedIn(
  reader: ContentReader,
  folder: string,
  { course, exam, lessonTexts }: CourseParts,
) {
  const placedLessons = findLessons(course)
  const lessons = placedLessons.map(({ lesson }) => lesson)

  const check = (file: string, explainedIn: string | undefined, path: readonly PropertyKey[]) => {
    const problem = explainedIn && findExplainedInProblem(explainedIn, lessons, lessonTexts)
    if (problem) {
      reader.report(file, problem, [...path, 'explainedIn'])
    }
  }

  for (const { lesson, yamlPath } of placedLessons) {
    const questions = getLessonFormat(lesson).listQuestions(lesson)
    for (const [index, { explainedIn }] of questions.entries()) {
      check(`${folder}/course.yaml`, explainedIn, [...yamlPath, 'questions', index])
    }
  }

  for (const [index, { explainedIn }] of (exam?.questions ?? []).entries()) {
    check(`${folder}/exam.yaml`, explainedIn, ['questions', index])
  }
}

function findExplainedInProblem(
  explainedIn: string,
  lessons: readonly Lesson[],
  lessonTexts: CourseParts['lessonTexts'],
): string | null {
  const [lessonId = '', anchor] = explainedIn.split('#')
  const explainingLessons = lessons.filter(
    (lesson) => getLessonFormat(lesson).findAnchorProblem !== undefined,
  )
  const lesson = explainingLessons.find(({ id }) => id === lessonId)
  if (!lesson) {
    const lessonIds = explainingLessons.map(({ id }) => id)
    const suggestion = didYouMean(lessonId, lessonIds)
    return `\`${lessonId}\` isn’t an article or video of this course.${suggestion} Name one that explains the question.`
  }

  if (anchor === undefined) {
    return null
  }

  const format = getLessonFormat(lesson)
  return format.findAnchorProblem?.(lesson, anchor, lessonTexts.get(lessonId) ?? '') ?? null
}
