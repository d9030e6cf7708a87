import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type * as z from 'zod'
import { ContentReader } from './content-reader.server'
import { categoriesFile, courseFile, demoLearnerFile, examFile, testimonialsFile } from './content-schema'
import { readLessons } from './lesson-files.server'

export type CourseContent = z.infer<typeof courseFile> & {
  id: string
  exam: z.infer<typeof examFile>
  /** CommonMark by lesson id. */
  articles: Record<string, string>
}

export type DemoLearner = z.infer<typeof demoLearnerFile>

export type Content = {
  courses: CourseContent[]
  testimonials: z.infer<typeof testimonialsFile>
  categories: z.infer<typeof categoriesFile>
  /** Null when there is no such file. */
  demoLearner: DemoLearner | null
}

/** SHA-256 over the names of all files and the bytes of those that are read: quick to take, so that a start can skip the rest. */
export async function hashContent(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const files = await readdir(folder, { recursive: true }).catch(() => [])
  for (const file of files.sort()) {
    hash.update(file).update('\0')
    if (/\.(yaml|md)$/.test(file)) hash.update(await readFile(path.join(folder, file)))
  }
  return hash.digest('hex')
}

/**
 * Reads and checks every content file.
 *
 * @param folder `content/`, or what an operator keeps instead.
 * @returns the content, or every problem as `file:line: what is expected`, when there is any.
 */
export async function readContent(
  folder: string,
): Promise<{ content: Content; problems: [] } | { content: null; problems: string[] }> {
  const reader = new ContentReader(folder)
  const testimonials = await reader.yaml('testimonials.yaml', testimonialsFile)
  const categories = await reader.yaml('categories.yaml', categoriesFile)
  const courses: CourseContent[] = []
  for (const id of await courseFolders(folder)) {
    const course = await readCourse(reader, id)
    if (course) courses.push(course)
  }
  if (courses.length === 0) reader.report('courses', 'expected at least one folder with a course.yaml')
  const demoLearner = await readDemoLearner(reader, courses)
  if (reader.problems.length > 0 || !testimonials || !categories) return { content: null, problems: reader.problems }
  return { content: { courses, testimonials, categories, demoLearner }, problems: [] }
}

async function courseFolders(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(folder, 'courses'), { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

async function readCourse(reader: ContentReader, id: string): Promise<CourseContent | null> {
  const folder = `courses/${id}`
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))
    reader.report(folder, 'expected a folder name of lower-case letters, digits and hyphens')
  const course = await reader.yaml(`${folder}/course.yaml`, courseFile)
  const exam = await reader.yaml(`${folder}/exam.yaml`, examFile)
  if (exam) checkExam(reader, `${folder}/exam.yaml`, exam)
  if (!course || !exam) return null
  if (!reader.has(`instructors/${course.instructor.image}.webp`)) {
    const portrait = `expected the portrait instructors/${course.instructor.image}.webp`
    reader.report(`${folder}/course.yaml`, portrait, ['instructor', 'image'])
  }
  for (const cover of ['cover.webp', 'cover-1280.webp']) {
    if (!reader.has(`${folder}/${cover}`)) reader.report(`${folder}/${cover}`, 'expected this picture of the course')
  }
  const articles = await readLessons(reader, folder, course)
  return { ...course, id, exam, articles }
}

function checkExam(reader: ContentReader, file: string, exam: z.infer<typeof examFile>) {
  const ids = exam.questions.map((question) => question.id)
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) !== index) reader.report(file, `expected the question id '${id}' once`, ['questions', index])
  }
  if (exam.draw > ids.length)
    reader.report(file, `expected at least ${exam.draw} questions, as draw says, not ${ids.length}`)
  for (const [index, question] of exam.questions.entries()) {
    const right = question.type === 'single' ? [question.answer] : question.type === 'multiple' ? question.answers : []
    const options: readonly string[] = 'options' in question ? question.options : []
    const missing = right.find((answer) => !options.includes(answer))
    if (missing !== undefined)
      reader.report(file, `expected the answer '${missing}' among the options of '${question.id}'`, [
        'questions',
        index,
      ])
    const choices = question.type === 'ordering' ? question.items : options
    if (new Set(choices).size < choices.length)
      reader.report(file, `expected different options in '${question.id}'`, ['questions', index])
  }
}

async function readDemoLearner(reader: ContentReader, courses: readonly CourseContent[]): Promise<DemoLearner | null> {
  const file = 'demo-learner.yaml'
  if (!reader.has(file)) return null
  const demoLearner = await reader.yaml(file, demoLearnerFile)
  // A course that cannot be read is reported already.
  if (reader.problems.length > 0) return null
  for (const history of demoLearner?.courses ?? []) {
    const course = courses.find(({ id }) => id === history.course)
    if (!course) {
      reader.report(file, `expected the id of a course, not '${history.course}'`)
      continue
    }
    const lessons = course.curriculum.flatMap((section) => section.lessons).filter(({ kind }) => kind !== 'announced')
    const unknown = Object.keys(history.lessons).find((lesson) => !lessons.some(({ id }) => id === lesson))
    if (unknown) reader.report(file, `expected a lesson with material in '${course.id}', not '${unknown}'`)
    if (history.exams.some(({ score }) => score > course.exam.draw))
      reader.report(file, `expected scores up to ${course.exam.draw} in the exam of '${course.id}'`)
  }
  return demoLearner
}
