import { readdir, stat } from 'node:fs/promises'
import type * as z from 'zod'
import { type ContentHashes, hashContentByCourse, isForeign } from './content-folder.server'
import { ContentReader, reasonOf } from './content-reader.server'
import { type CourseContent, readCourse } from './course-folder.server'
import { type CourseOutline, outlineOf } from './course-outline'
import { readDemoLearner } from './demo-learner-file.server'
import type { demoLearnerFile } from './demo-learner-schema'
import { checkDrawing } from './media-files.server'
import { checkOperatorPages } from './operator-pages.server'
import { categoriesFile, testimonialsFile } from './site-schema'
import { readSynonymsFile } from './synonyms-file.server'

export type DemoLearner = z.infer<typeof demoLearnerFile>

export type Content = {
  /** Those that were read: all but the known ones. */
  courses: CourseContent[]
  /** Every course. */
  outlines: CourseOutline[]
  testimonials: z.infer<typeof testimonialsFile>
  categories: z.infer<typeof categoriesFile>
  /** What means the same to a search, a list for each meaning. */
  synonyms: string[][]
  /** Null when there is no such file. */
  demoLearner: DemoLearner | null
  /** Of the files as they were read. */
  hashes: ContentHashes
}

/** Courses as they were read before, by id, with the hash of their folders. */
export type KnownCourses = ReadonlyMap<string, { hash: string; outline: CourseOutline }>

/** `warnings` are no reason to refuse the content. */
type Reading = ({ content: Content; problems: [] } | { content: null; problems: string[] }) & { warnings: string[] }

/** Saves that fall into a reading, one after the other, until it is given up. */
const maxReadings = 5

/**
 * Reads and checks every content file; check, start and watch all do it by this.
 *
 * @param folder `content/`, or what an operator keeps instead.
 * @param options.known courses that are not read again if nothing in their folders has changed.
 * @param options.hashes of the files just now, where they have been taken already: 10,000 courses take a second.
 * @returns the content, or every problem as `file:line: sentence`, by file and line, when there is any; warnings alike.
 */
export async function readContent(
  folder: string,
  {
    now = new Date(),
    known = new Map(),
    hashes = hashContentByCourse(folder),
  }: { now?: Date; known?: KnownCourses; hashes?: ContentHashes } = {},
): Promise<Reading> {
  let before = hashes
  for (let reading = 1; ; reading++) {
    const read = await readOnce(folder, before, { now, known })
    const after = hashContentByCourse(folder)
    // A file that was saved meanwhile may belong to another version than the rest.
    if (reading === maxReadings || after.whole === before.whole) return read
    before = after
  }
}

async function readOnce(
  folder: string,
  hashes: ContentHashes,
  { now, known }: { now: Date; known: KnownCourses },
): Promise<Reading> {
  const reader = new ContentReader(folder)
  const unusable = await folderProblem(folder)
  if (unusable) return { content: null, problems: [unusable], warnings: [] }
  const { data: testimonials } = await reader.yaml('testimonials.yaml', testimonialsFile)
  const { data: categories } = await reader.yaml('categories.yaml', categoriesFile)
  const ids = reader.list('courses').filter((name) => !reader.has(`courses/${name}`))
  const courses: CourseContent[] = []
  const outlines: CourseOutline[] = []
  for (const id of ids) {
    const before = known.get(id)
    const course = before?.hash === hashes.courses.get(id) ? null : await readCourse(reader, id, now)
    if (course) courses.push(course)
    if (course) outlines.push(outlineOf(course))
    else if (before) outlines.push(before.outline)
  }
  if (ids.length === 0) reader.report('courses', 'There are no courses. Add a folder with a course.yaml.')
  checkCourseNames(reader, ids, outlines)
  const synonyms = await readSynonymsFile(reader)
  await checkOperatorPages(reader)
  const demoLearner = await readDemoLearner(reader, outlines)
  for (const name of reader.list('instructors'))
    if (name.endsWith('.svg')) await checkDrawing(reader, `instructors/${name}`)
  const { problems, warnings } = reader
  if (problems.length > 0 || !testimonials || !categories) return { content: null, problems, warnings }
  return {
    content: { courses, outlines, testimonials, categories, synonyms, demoLearner, hashes },
    problems: [],
    warnings,
  }
}

async function folderProblem(folder: string): Promise<string | null> {
  try {
    const names = await readdir(folder)
    if (names.some((name) => !isForeign(name))) return null
    return `${folder}: The folder is empty. Put the content there, or set CONTENT_DIR to the folder that has it.`
  } catch (error) {
    const missing = !(await stat(folder).catch(() => null))
    const reason = missing ? 'There is no such folder.' : reasonOf(error)
    return `${folder}: ${reason} Set CONTENT_DIR to the folder that has the content.`
  }
}

/** A course's folder is its address: letters of another case would be a second one that looks the same. */
function checkCourseNames(reader: ContentReader, ids: readonly string[], courses: readonly CourseOutline[]) {
  for (const [index, id] of ids.entries()) {
    const twin = ids.slice(0, index).find((other) => other.toLowerCase() === id.toLowerCase())
    if (twin)
      reader.report(`courses/${id}`, `The folder \`${twin}\` differs from this one only in case. Rename one of them.`)
  }
  const taken = new Set(ids)
  for (const course of courses)
    for (const alias of course.aliases) {
      const file = `courses/${course.id}/course.yaml`
      if (taken.has(alias))
        reader.report(
          file,
          `The alias \`${alias}\` is a course, or appears twice. Keep it only on the course that replaced it.`,
          ['aliases'],
        )
      taken.add(alias)
    }
}
