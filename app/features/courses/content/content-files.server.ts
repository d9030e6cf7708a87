/**
 * Reads and checks the files of a content folder.
 *
 * All problems are collected, so that one run names every file and line to repair. A course with
 * problems is left out. A problem in a file that belongs to no course leaves no content at all.
 */

import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { type ContentHashes, hashContent, hashCourse } from './content-hashes.server'
import { ContentReader, explainFileError, isSystemFile } from './content-reader.server'
import {
  type CourseContent,
  type CourseOutline,
  readCourse,
  toCourseOutline,
} from './course-folder.server'
import { type DemoLearner, readDemoLearner } from './demo-learner-file.server'
import { checkDrawing } from './picture-checks.server'
import {
  type Category,
  checkOperatorPages,
  describeUnknownCategory,
  listCategoryIds,
  readCategories,
  readSynonyms,
  type Testimonial,
  testimonialsSchema,
} from './site-files.server'

export type Content = {
  /** The valid courses that were read. Unchanged and broken courses stay as they are stored. */
  courses: CourseContent[]
  /** The IDs of all courses, also of those that were not read or are broken. */
  courseIds: string[]
  testimonials: Testimonial[]
  categories: Category[]
  /** Synonyms for searches, one list for each meaning. */
  synonyms: string[][]
  /** Null without the file. */
  demoLearner: DemoLearner | null
  /** The hashes that the files had before they were read. */
  hashes: ContentHashes
}

/** The stored courses, which need not be read again while their files are unchanged. */
export type StoredCourses = {
  /** The courses by ID. */
  courses: ReadonlyMap<string, StoredCourse>
  findOutlines(ids: readonly string[]): Promise<CourseOutline[]>
}

export type StoredCourse = {
  /** What `hashCourse` returned when the course was read. */
  hash: string
  aliases: string[]
  portrait: string | null
  category: string | null
}

export const noStoredCourses: StoredCourses = {
  courses: new Map(),
  findOutlines: async () => [],
}

type ContentCheck = {
  /** Null if a problem concerns more than single courses. */
  content: Content | null
  /** Every problem as `file:line: sentence`, by file and line. */
  problems: string[]
  /** What should be improved but prevents nothing, in the same form. */
  warnings: string[]
}

type ReadOptions = {
  now?: Date
  storedCourses?: StoredCourses
  /** The hashes of the current files, if they have been computed already. */
  hashes?: ContentHashes
  onProgress?: ((readCount: number, totalCount: number) => void) | undefined
}

/** @param folder `content/`, or the operator's own folder */
export async function readContent(
  folder: string,
  {
    now = new Date(),
    storedCourses = noStoredCourses,
    hashes = hashContent(folder),
    onProgress,
  }: ReadOptions = {},
): Promise<ContentCheck> {
  const folderProblem = await findFolderProblem(folder)
  if (folderProblem) {
    return { content: null, problems: [folderProblem], warnings: [] }
  }

  const reader = new ContentReader(folder)
  const courseIds = [...hashes.courses.keys()]
  // A file that is saved after it was hashed is read again by the next load.
  const changedIds = new Set(courseIds.filter((id) => !isUnchanged(id, hashes, storedCourses)))
  const unchangedIds = courseIds.filter((id) => !changedIds.has(id))

  const { data: testimonials } = await reader.readYamlFile('testimonials.yaml', testimonialsSchema)
  const categories = await readCategories(reader)
  const courses = await readCourses(reader, [...changedIds], { now, categories, onProgress })
  if (courseIds.length === 0) {
    reader.report('courses', 'There are no courses. Add a folder with a course.yaml.')
  }

  if (categories) {
    checkStoredCategories(reader, unchangedIds, storedCourses, listCategoryIds(categories))
  }

  checkFolderNames(reader, courseIds)
  checkCourseAliases(reader, courseIds, [
    ...courses,
    ...unchangedIds.map((id) => ({ id, aliases: storedCourses.courses.get(id)?.aliases ?? [] })),
  ])

  const synonyms = await readSynonyms(reader)
  await checkOperatorPages(reader)
  const demoLearner = await readDemoLearner(reader, courseIds, async (ids) => [
    ...courses.filter(({ id }) => ids.includes(id)).map(toCourseOutline),
    ...(await storedCourses.findOutlines(ids.filter((id) => !changedIds.has(id)))),
  ])
  await checkPortraitDrawings(reader)

  const { problems, warnings } = reader
  const brokenIds = listBrokenCourses(reader.brokenFiles, courses)
  const isUsable = brokenIds !== null && courseIds.some((id) => !brokenIds.has(id))
  if (!isUsable || !testimonials || !categories) {
    return { content: null, problems, warnings }
  }

  const validCourses = courses.filter(({ id }) => !brokenIds.has(id))

  return {
    content: {
      courses: validCourses,
      courseIds,
      testimonials,
      categories,
      synonyms,
      demoLearner,
      hashes,
    },
    problems,
    warnings,
  }
}

async function findFolderProblem(folder: string): Promise<string | null> {
  try {
    const names = await readdir(folder)
    if (names.some((name) => !isSystemFile(name))) {
      return null
    }

    return `${folder}: The folder is empty. Put the content there, or set CONTENT_DIR to the folder that has it.`
  } catch (error) {
    const isMissing = (await stat(folder).catch(() => null)) === null
    const reason = isMissing ? 'There is no such folder.' : explainFileError(error)
    return `${folder}: ${reason} Set CONTENT_DIR to the folder that has the content.`
  }
}

function isUnchanged(id: string, hashes: ContentHashes, { courses }: StoredCourses): boolean {
  const storedCourse = courses.get(id)
  return (
    storedCourse !== undefined &&
    storedCourse.hash === hashCourse(hashes, id, storedCourse.portrait)
  )
}

/** Some courses wait for the disk or for pictures to be decoded while others are parsed. */
const parallelCourses = 8

type CourseOptions = Pick<ReadOptions, 'onProgress'> & {
  now: Date
  categories: readonly Category[] | null
}

/** @returns the valid courses, in order. The reader has the problems of the other courses. */
async function readCourses(
  reader: ContentReader,
  ids: readonly string[],
  { now, categories, onProgress }: CourseOptions,
): Promise<CourseContent[]> {
  const coursesInOrder: (CourseContent | null)[] = []
  const siteOptions = { now, categoryIds: categories && listCategoryIds(categories) }
  const remainingIds = ids.entries()
  let readCount = 0

  // All workers take their courses from the same iterator.
  const readRemainingCourses = async () => {
    for (const [index, id] of remainingIds) {
      coursesInOrder[index] = await readCourse(reader, id, siteOptions)
      readCount++
      onProgress?.(readCount, ids.length)
    }
  }

  await Promise.all(Array.from({ length: parallelCourses }, readRemainingCourses))

  return coursesInOrder.filter((course) => course !== null)
}

/**
 * Checks the categories of courses that are not read again, because a category may leave
 * categories.yaml while the folders of its courses stay as they are.
 */
function checkStoredCategories(
  reader: ContentReader,
  courseIds: readonly string[],
  { courses }: StoredCourses,
  categoryIds: readonly string[],
): void {
  for (const id of courseIds) {
    const category = courses.get(id)?.category
    if (category && !categoryIds.includes(category)) {
      const problem = describeUnknownCategory('category', category, categoryIds)
      reader.report(`courses/${id}/course.yaml`, problem, ['category'])
    }
  }
}

/**
 * Reports folders whose names differ only in case. A folder's name is part of the course's URL, and
 * two such URLs would look the same.
 */
function checkFolderNames(reader: ContentReader, courseIds: readonly string[]): void {
  const idsByLowerCase = new Map<string, string>()

  for (const id of courseIds) {
    const similarId = idsByLowerCase.get(id.toLowerCase())
    if (similarId === undefined) {
      idsByLowerCase.set(id.toLowerCase(), id)
    } else {
      reader.report(
        `courses/${id}`,
        `The folder \`${similarId}\` differs from this one only in case. Rename one of them.`,
      )
    }
  }
}

/** Reports every course with a duplicate alias, so that none of these courses is loaded. */
function checkCourseAliases(
  reader: ContentReader,
  courseIds: readonly string[],
  courses: readonly Pick<CourseContent, 'id' | 'aliases'>[],
): void {
  const idsAndAliases = [...courseIds, ...courses.flatMap(({ aliases }) => aliases)]
  const countById = new Map<string, number>()
  for (const id of idsAndAliases) {
    countById.set(id, (countById.get(id) ?? 0) + 1)
  }

  for (const { id, aliases } of courses) {
    const duplicateAliases = aliases.filter((alias) => countById.get(alias) !== 1)
    for (const alias of duplicateAliases) {
      reader.report(
        `courses/${id}/course.yaml`,
        `The alias \`${alias}\` is a course, or appears twice. Keep it only on the course that replaced it.`,
        ['aliases'],
      )
    }
  }
}

async function checkPortraitDrawings(reader: ContentReader): Promise<void> {
  for (const name of reader.listNames('instructors')) {
    if (name.endsWith('.svg')) {
      await checkDrawing(reader, `instructors/${name}`)
    }
  }
}

/**
 * Finds the courses to which broken files belong. A portrait belongs to the courses of its
 * instructor.
 *
 * @returns the IDs of the courses; null if a file belongs to no course
 */
function listBrokenCourses(
  brokenFiles: readonly string[],
  courses: readonly CourseContent[],
): ReadonlySet<string> | null {
  const brokenIds = new Set<string>()

  for (const file of brokenFiles) {
    const ids = listCoursesOfFile(file, courses)
    if (ids.length === 0) {
      return null
    }

    for (const id of ids) {
      brokenIds.add(id)
    }
  }

  return brokenIds
}

/** @param file a path like 'courses/python/exam.yaml' or 'instructors/ada.webp' */
function listCoursesOfFile(file: string, courses: readonly CourseContent[]): string[] {
  const [folder, name = ''] = file.split('/')
  if (folder === 'courses' && name !== '') {
    return [name]
  }

  if (folder === 'instructors') {
    const portrait = path.parse(name).name
    return courses.filter(({ instructor }) => instructor.image === portrait).map(({ id }) => id)
  }

  return []
}

/**
 * Reads the demo learner's file and only the courses that it names.
 *
 * @returns null without the file, or if a file has a problem
 */
export async function readDemoContent(
  folder: string,
): Promise<{ demoLearner: DemoLearner; courses: CourseContent[] } | null> {
  const reader = new ContentReader(folder)
  const courseIds = reader.listNames('courses')
  const categories = await readCategories(reader)
  let courses: CourseContent[] = []

  const demoLearner = await readDemoLearner(reader, courseIds, async (ids) => {
    const existingIds = ids.filter((id) => courseIds.includes(id))
    courses = await readCourses(reader, existingIds, { now: new Date(), categories })
    return courses.map(toCourseOutline)
  })

  return demoLearner && reader.problems.length === 0 ? { demoLearner, courses } : null
}
