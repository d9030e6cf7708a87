import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { isNode, LineCounter, parseDocument } from 'yaml'
import type * as z from 'zod'
import {
  categoriesFile,
  courseFile,
  demoLearnerFile,
  examFile,
  storyboardFile,
  testimonialsFile,
} from './content-schema'

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

  const articles: Record<string, string> = {}
  const seen = new Set<string>()
  for (const lesson of course.curriculum.flatMap((section) => section.lessons)) {
    if (seen.has(lesson.id))
      reader.report(`${folder}/course.yaml`, `expected each lesson id once, but '${lesson.id}' stands twice`)
    seen.add(lesson.id)
    if (lesson.kind === 'article') articles[lesson.id] = await reader.text(`${folder}/lessons/${lesson.id}.md`)
    if (lesson.kind === 'video') await checkVideo(reader, `${folder}/videos/${lesson.video}`, lesson)
    if (
      lesson.kind === 'quiz' &&
      lesson.questions.some((question) => !question.options.some((option) => option.correct))
    ) {
      reader.report(`${folder}/course.yaml`, `expected a correct option for every question of the quiz '${lesson.id}'`)
    }
  }
  return { ...course, id, exam, articles }
}

async function checkVideo(reader: ContentReader, base: string, lesson: { id: string; durationSeconds: number }) {
  const storyboard = await reader.yaml(`${base}.yaml`, storyboardFile)
  for (const ending of ['webm', 'mp4', 'vtt', 'webp']) {
    if (!reader.has(`${base}.${ending}`))
      reader.report(`${base}.${ending}`, `expected this file for the lesson '${lesson.id}'; run: npm run media`)
  }
  const seconds = storyboard?.scenes.reduce((sum, scene) => sum + scene.seconds, 0)
  if (seconds !== undefined && Math.round(seconds) !== lesson.durationSeconds) {
    reader.report(
      `${base}.yaml`,
      `expected scenes of ${lesson.durationSeconds} s in total, as the lesson says, not ${seconds} s`,
    )
  }
}

function checkExam(reader: ContentReader, file: string, exam: z.infer<typeof examFile>) {
  const ids = exam.questions.map((question) => question.id)
  for (const id of ids.filter((value, index) => ids.indexOf(value) !== index))
    reader.report(file, `expected the question id '${id}' once`)
  if (exam.draw > ids.length)
    reader.report(file, `expected at least ${exam.draw} questions, as draw says, not ${ids.length}`)
  for (const question of exam.questions) {
    const right = question.type === 'single' ? [question.answer] : question.type === 'multiple' ? question.answers : []
    const options: readonly string[] = 'options' in question ? question.options : []
    const missing = right.find((answer) => !options.includes(answer))
    if (missing !== undefined)
      reader.report(file, `expected the answer '${missing}' among the options of '${question.id}'`)
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

/** Collects problems instead of stopping at the first. */
class ContentReader {
  readonly problems: string[] = []
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  report(file: string, problem: string) {
    this.problems.push(`${path.join(this.#folder, file)}: ${problem}`)
  }

  has(file: string): boolean {
    return existsSync(path.join(this.#folder, file))
  }

  async text(file: string): Promise<string> {
    try {
      return await readFile(path.join(this.#folder, file), 'utf8')
    } catch {
      this.report(file, 'expected this file, but it cannot be read')
      return ''
    }
  }

  async yaml<Schema extends z.ZodType>(file: string, schema: Schema): Promise<z.infer<Schema> | null> {
    const text = await this.text(file)
    if (!text) return null
    const lines = new LineCounter()
    const document = parseDocument(text, { lineCounter: lines })
    for (const error of document.errors)
      this.report(`${file}:${lines.linePos(error.pos[0]).line}`, error.message.split('\n')[0] ?? '')
    if (document.errors.length > 0) return null
    const parsed = schema.safeParse(document.toJS())
    if (parsed.success) return parsed.data
    for (const issue of parsed.error.issues) {
      this.report(
        `${file}:${lineOf(document, lines, issue.path)}`,
        `${issue.path.join('.') || 'the file'}: ${issue.message}`,
      )
    }
    return null
  }
}

/** The line of the value at `keys`, or of the nearest thing around it that exists. */
function lineOf(document: ReturnType<typeof parseDocument>, lines: LineCounter, keys: readonly PropertyKey[]): number {
  for (let depth = keys.length; depth >= 0; depth--) {
    const node = depth === 0 ? document.contents : document.getIn(keys.slice(0, depth), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}
