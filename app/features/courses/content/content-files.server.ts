import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { type ContentHashes, hashContent, hashCourse } from './content-hashes.server'
import { ContentReader, explainFileError, isSystemFile } from './content-reader.server'
import { courseFile } from './course-file.server'
import {
  type CourseContent,
  type CourseOutline,
  readCourse,
  toCourseOutline,
} from './course-folder.server'
import { demoLearnerFile, readDemoLearner } from './demo-learner-file.server'
import { examFile } from './exam-file.server'
import { checkDrawing } from './picture-files.server'
import {
  type Category,
  categoriesFile,
  checkOperatorPages,
  listIds,
  readCategories,
  readSynonymsFile,
  synonymsFile,
  testimonialsFile,
  unknownCategory,
} from './site-files.server'

export type DemoLearner = z.infer<typeof demoLearnerFile>

export type Content = {
  /**
   * Valid courses that were read. Known and broken courses are missing here; they stay as stored.
   */
  courses: CourseContent[]
  /** Of every course. */
  ids: string[]
  testimonials: z.infer<typeof testimonialsFile>
  categories: Category[]
  /** Synonyms for searches, one list for each meaning. */
  synonyms: string[][]
  /** Null without the file. */
  demoLearner: DemoLearner | null
  /** Of the files before they were read. */
  hashes: ContentHashes
}

/** Courses as they were read before. */
export type KnownCourses = {
  /** By id, with `hashCourse` of then. */
  courses: ReadonlyMap<string, KnownCourse>
  findOutlines(ids: readonly string[]): Promise<CourseOutline[]>
}
export type KnownCourse = {
  hash: string
  aliases: string[]
  portrait: string | null
  category: string | null
}
export const noKnownCourses: KnownCourses = { courses: new Map(), findOutlines: async () => [] }

/**
 * With content, the problems are those of courses that are left out. `warnings` are no reason to
 * refuse anything.
 */
type Reading = { content: Content | null; problems: string[]; warnings: string[] }
type Options = { now: Date; known: KnownCourses; see(done: number, of: number): void }

/** Courses read in parallel: some wait for the disk or picture decoding while others are parsed. */
const coursesAtOnce = 8

/**
 * Reads and checks every content file, for the check, the start and the watch.
 *
 * @param folder `content/`, or the operator's own folder.
 * @param options.known courses that are not read again while their files are unchanged.
 * @param options.hashes of the current files, if they were computed already.
 * @param options.see called with the number of courses read so far.
 * @returns every problem as `file:line: sentence`, by file and line, and the warnings likewise. A
 * course with problems is left
 *   out; there is no content if every course, or a file that belongs to no course, has a problem.
 */
export async function readContent(
  folder: string,
  {
    now = new Date(),
    known = noKnownCourses,
    hashes = hashContent(folder),
    see = () => {},
  }: Partial<Options> & { hashes?: ContentHashes } = {},
): Promise<Reading> {
  // A file that is saved after it was hashed is read again by the next load.
  const changed = listChanged(hashes, known)
  const reader = new ContentReader(folder)
  const unusable = await folderProblem(folder)
  if (unusable) {
    return { content: null, problems: [unusable], warnings: [] }
  }

  const { data: testimonials } = await reader.yaml('testimonials.yaml', testimonialsFile)
  const categories = await readCategories(reader)
  const courses = await readCourses(reader, [...changed], { now, see, categories })
  const ids = [...hashes.courses.keys()]
  if (ids.length === 0) {
    reader.report('courses', 'There are no courses. Add a folder with a course.yaml.')
  }

  const unchanged = ids.filter((id) => !changed.has(id))
  if (categories) {
    checkCategoriesOf(reader, known, unchanged, listIds(categories))
  }

  checkCourseNames(reader, ids, [
    ...courses,
    ...unchanged.map((id) => ({ id, aliases: known.courses.get(id)?.aliases ?? [] })),
  ])
  const synonyms = await readSynonymsFile(reader)
  await checkOperatorPages(reader)
  const demoLearner = await readDemoLearner(reader, ids, async (wanted) => [
    ...courses.filter(({ id }) => wanted.includes(id)).map(toCourseOutline),
    ...(await known.findOutlines(wanted.filter((id) => !changed.has(id)))),
  ])
  for (const name of reader.list('instructors')) {
    if (name.endsWith('.svg')) {
      await checkDrawing(reader, `instructors/${name}`)
    }
  }

  const { problems, warnings } = reader
  const broken = brokenCourses(reader.brokenFiles, courses)
  if (!broken || ids.every((id) => broken.has(id)) || !testimonials || !categories) {
    return { content: null, problems, warnings }
  }

  const good = courses.filter(({ id }) => !broken.has(id))

  return {
    content: { courses: good, ids, testimonials, categories, synonyms, demoLearner, hashes },
    problems,
    warnings,
  }
}

function listChanged(hashes: ContentHashes, { courses }: KnownCourses): ReadonlySet<string> {
  const isKnown = (id: string) => {
    const before = courses.get(id)
    return before?.hash === hashCourse(hashes, id, before?.portrait ?? null)
  }
  return new Set([...hashes.courses.keys()].filter((id) => !isKnown(id)))
}

/** @returns the ids of the courses to which the files belong; null if one belongs to no course. */
function brokenCourses(
  files: readonly string[],
  courses: readonly CourseContent[],
): ReadonlySet<string> | null {
  const broken = new Set<string>()
  for (const file of files) {
    const [folder, name = ''] = file.split('/')
    const portrait = folder === 'instructors' ? path.parse(name).name : null
    const owners = courses
      .filter(({ instructor }) => instructor.image === portrait)
      .map(({ id }) => id)
    if (folder === 'courses' && name !== '') {
      broken.add(name)
    } else if (owners.length > 0) {
      for (const id of owners) {
        broken.add(id)
      }
    } else {
      return null
    }
  }

  return broken
}

/**
 * Reads the demo learner's file and only the courses that it names.
 *
 * @returns null without the file, or if it has a problem.
 */
export async function readDemoContent(
  folder: string,
): Promise<{ demoLearner: DemoLearner; courses: CourseContent[] } | null> {
  const reader = new ContentReader(folder)
  const ids = reader.list('courses')
  const categories = await readCategories(reader)
  let courses: CourseContent[] = []
  const demoLearner = await readDemoLearner(reader, ids, async (wanted) => {
    const there = wanted.filter((id) => ids.includes(id))
    courses = await readCourses(reader, there, { now: new Date(), see: () => {}, categories })
    return courses.map(toCourseOutline)
  })

  return demoLearner && reader.problems.length === 0 ? { demoLearner, courses } : null
}

/** @returns the valid courses, in order; the reader has the problems of the others. */
async function readCourses(
  reader: ContentReader,
  ids: readonly string[],
  {
    now,
    see,
    categories,
  }: Pick<Options, 'now' | 'see'> & { categories: readonly Category[] | null },
): Promise<CourseContent[]> {
  const read: (CourseContent | null)[] = []
  const facts = { now, categories: categories && listIds(categories) }
  let [next, done] = [0, 0]
  const readOn = async () => {
    for (let place = next++; place < ids.length; place = next++) {
      read[place] = await readCourse(reader, ids[place] ?? '', facts)
      see(++done, ids.length)
    }
  }

  await Promise.all(Array.from({ length: coursesAtOnce }, readOn))

  return read.filter((course) => course !== null)
}

async function folderProblem(folder: string): Promise<string | null> {
  try {
    const names = await readdir(folder)
    if (names.some((name) => !isSystemFile(name))) {
      return null
    }

    return `${folder}: The folder is empty. Put the content there, or set CONTENT_DIR to the folder that has it.`
  } catch (error) {
    const missing = !(await stat(folder).catch(() => null))
    const reason = missing ? 'There is no such folder.' : explainFileError(error)
    return `${folder}: ${reason} Set CONTENT_DIR to the folder that has the content.`
  }
}

/** A category may leave the file while the folders of its courses stay as they are. */
function checkCategoriesOf(
  reader: ContentReader,
  known: KnownCourses,
  ids: readonly string[],
  categories: string[],
) {
  for (const id of ids) {
    const category = known.courses.get(id)?.category
    if (category && !categories.includes(category)) {
      reader.report(
        `courses/${id}/course.yaml`,
        unknownCategory('category', category, categories),
        ['category'],
      )
    }
  }
}

/**
 * A course's folder is its address: letters of another case would be a second one that looks the
 * same.
 */
function checkCourseNames(
  reader: ContentReader,
  ids: readonly string[],
  courses: readonly Pick<CourseContent, 'id' | 'aliases'>[],
) {
  const inAnyCase = new Map<string, string>()
  for (const id of ids) {
    const twin = inAnyCase.get(id.toLowerCase())
    if (twin) {
      reader.report(
        `courses/${id}`,
        `The folder \`${twin}\` differs from this one only in case. Rename one of them.`,
      )
    } else {
      inAnyCase.set(id.toLowerCase(), id)
    }
  }

  const claims = new Map<string, number>(ids.map((id) => [id, 1]))
  for (const alias of courses.flatMap(({ aliases }) => aliases)) {
    claims.set(alias, (claims.get(alias) ?? 0) + 1)
  }

  // Report every course with the duplicate, so that none of them is loaded.
  for (const { id, aliases } of courses) {
    for (const alias of aliases) {
      if ((claims.get(alias) ?? 0) > 1) {
        reader.report(
          `courses/${id}/course.yaml`,
          `The alias \`${alias}\` is a course, or appears twice. Keep it only on the course that replaced it.`,
          ['aliases'],
        )
      }
    }
  }
}

const schemas = {
  course: courseFile,
  exam: examFile,
  testimonials: testimonialsFile,
  categories: categoriesFile,
  'demo-learner': demoLearnerFile,
  synonyms: synonymsFile,
}

/**
 * The content files' shapes for editors, made of the very schemas that the loader checks by.
 *
 * @returns text by path, from the root of the checkout.
 */
export function createContentJsonSchemas(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const json = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' })
      return [`docs/schemas/${name}.json`, `${JSON.stringify(json, null, 2)}\n`]
    }),
  )
}
