import path from 'node:path'
import type * as z from 'zod'
import { didYouMean } from '~/server/validation/schema-problems'
import { hasMaterial } from '../lessons/lesson-kinds'
import { hasRepeatedTexts } from '../questions/check-questions.server'
import type { ContentReader } from './content-reader.server'
import { courseFile } from './course-file.server'
import { countDownloads, type Download, readDownloads } from './download-files.server'
import { type examFile, readExam, warnOfExamName } from './exam-file.server'
import { checkCurriculum, checkExplainedIn, findLessons, readLessons } from './lesson-files.server'
import { checkDrawing, checkPicture, findPictureFile, pictureRules } from './picture-files.server'
import { describeUnknownCategory } from './site-files.server'
import { orCreateIt } from './video-files.server'

export type CourseContent = z.infer<typeof courseFile> & {
  id: string
  exam: z.infer<typeof examFile>
  /** The texts of lessons, by lesson ID. */
  lessonTexts: Record<string, string>
  /** Files by lesson id; a lesson without any is not in it. */
  downloads: Record<string, Download[]>
}

type Site = {
  now: Date
  /** Ids; null if they can't be read, which is reported already. */
  categories: readonly string[] | null
}

/** @returns null if the course can't be used; the reader has every problem of its folder. */
export async function readCourse(
  reader: ContentReader,
  id: string,
  { now, categories }: Site,
): Promise<CourseContent | null> {
  const folder = `courses/${id}`
  const file = `${folder}/course.yaml`
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || id.length > 80) {
    reader.report(
      folder,
      'The folder’s name is the course’s address. Use lowercase letters, digits and single hyphens.',
    )
  }

  const { value, data: course } = await reader.yaml(file, courseFile)
  checkPriceKeys(reader, file)
  const exam = await readExam(reader, `${folder}/exam.yaml`)
  const repair = `Add the course’s picture${orCreateIt}`
  await checkPicture(reader, `${folder}/cover.webp`, pictureRules.cover, repair)
  // Made of the other one's file, if it isn't there.
  const large = await findPictureFile(reader.path(''), `${folder}/cover-1280.webp`)
  if (large?.includes('cover-1280')) {
    await checkPicture(reader, large, pictureRules.largeCover, repair)
  }

  for (const name of reader.list(folder)) {
    if (name.endsWith('.svg')) {
      await checkDrawing(reader, `${folder}/${name}`)
    }
  }

  const lessonTexts = await readLessons(reader, folder, findLessons(value))
  const downloads = await readDownloads(reader, folder, findLessons(value))
  if (!course) {
    return null
  }

  await checkPortrait(reader, file, course.instructor.image)
  if (categories && !categories.includes(course.category)) {
    reader.report(file, describeUnknownCategory('category', course.category, categories), [
      'category',
    ])
  }

  checkDates(reader, file, course, now)
  checkFacts(reader, file, course)
  checkCurriculum(reader, folder, course)
  checkExplainedIn(reader, folder, { course, exam, lessonTexts })
  if (exam) {
    warnOfExamName(reader, `${folder}/exam.yaml`, exam.title, course.title)
  }

  warnOfFewDownloads(reader, file, course.downloadableResources, countDownloads(downloads))

  return exam && { ...course, id, exam, lessonTexts, downloads }
}

async function checkPortrait(reader: ContentReader, file: string, image: string) {
  const portrait = `instructors/${image}.webp`
  if (await findPictureFile(reader.path(''), portrait)) {
    return checkPicture(reader, portrait, pictureRules.portrait, 'Export it again.')
  }

  const names = reader.list('instructors').map((name) => path.parse(name).name)
  const problem = `There is no portrait \`${portrait}\`.${didYouMean(image, names)} Add it or correct the name.`
  reader.report(file, problem, ['instructor', 'image'])
}

/** The course page shows the announced number, which may be for the finished course. */
function warnOfFewDownloads(reader: ContentReader, file: string, announced: number, there: number) {
  if (there >= announced) {
    return
  }

  const figure = `\`downloadableResources\` is ${announced}`
  const missing = announced - there
  const offered = there === 1 ? '1 download' : `${there} downloads`
  const warning =
    there === 0
      ? `${figure}, but the lessons offer no downloads. Add ${missing}.`
      : `${figure}, but the lessons offer ${offered}. Add ${missing} more.`

  reader.warn(file, warning, ['downloadableResources'])
}

/**
 * Prices were once written in cents: 4900 for $49. Someone who writes `priceCents: 49.00` means
 * dollars.
 */
function checkPriceKeys(reader: ContentReader, file: string) {
  for (const key of ['price', 'originalPrice']) {
    const old = `${key}Cents`
    const written = reader.source(file, [old])
    if (written === null) {
      continue
    }

    if (/^\d+\.\d*$/.test(written)) {
      reader.report(
        file,
        `\`${old}: ${written}\` would be ${written} cents. Write \`${key}: ${written}\`.`,
        [old],
      )
    } else if (/^\d+$/.test(written)) {
      reader.warn(
        file,
        `\`${old}\` is the old key. Write \`${key}: ${(Number(written) / 100).toFixed(2)}\`.`,
        [old],
      )
    }
  }
}

/** Values that contradict each other. */
function checkFacts(reader: ContentReader, file: string, course: z.infer<typeof courseFile>) {
  if (course.priceCents > course.originalPriceCents) {
    reader.report(
      file,
      '`originalPrice` is below `price`. Write the price before the discount, or leave it out.',
      [reader.source(file, ['originalPrice']) === null ? 'originalPriceCents' : 'originalPrice'],
    )
  }

  if (course.priceUntil && course.priceCents === course.originalPriceCents) {
    reader.report(
      file,
      '`priceUntil` is for a reduced price. Write `originalPrice`, or leave it out.',
      ['priceUntil'],
    )
  }

  for (const key of ['skills', 'requirements', 'whatYouLearn'] as const) {
    if (hasRepeatedTexts(course[key])) {
      reader.report(file, `An entry in \`${key}\` appears twice. Delete one.`, [key])
    }
  }

  if (hasRepeatedTexts(course.description.split(/\n\s*\n/))) {
    reader.report(file, 'A paragraph of `description` appears twice. Delete one.', ['description'])
  }

  const ids = course.reviewsList.map((review) => review.id)
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) !== index) {
      reader.report(file, `The review id \`${id}\` appears twice. Give one of them another id.`, [
        'reviewsList',
        index,
        'id',
      ])
    }
  }
}

/** In the easternmost time zone tomorrow has begun already. */
const tomorrowMs = 14 * 3_600_000

/** Dates of changes and reviews aren't in the future. */
function checkDates(
  reader: ContentReader,
  file: string,
  course: z.infer<typeof courseFile>,
  now: Date,
) {
  const latest = new Date(now.getTime() + tomorrowMs).toISOString().slice(0, 10)
  const check = (date: string | null, at: readonly PropertyKey[]) => {
    if (date !== null && date > latest) {
      reader.report(file, `${date} is in the future. Write a date up to today.`, at)
    }
  }

  check(course.lastUpdated, ['lastUpdated'])
  for (const [index, review] of course.reviewsList.entries()) {
    check(review.date, ['reviewsList', index, 'date'])
  }
}

/**
 * The names in a course that other files refer to, stored so that an unchanged folder isn't read
 * again.
 */
export type CourseOutline = {
  id: string
  aliases: string[]
  /** The instructor's. */
  portrait: string
  category: string
  lessons: { id: string; aliases: string[]; title: string; hasMaterial: boolean }[]
  /** Questions of an exam. */
  draw: number
}

export function toCourseOutline({
  id,
  aliases,
  instructor,
  category,
  curriculum,
  exam,
}: { id: string; exam: z.infer<typeof examFile> } & Pick<
  z.infer<typeof courseFile>,
  'aliases' | 'instructor' | 'category' | 'curriculum'
>): CourseOutline {
  const lessons = curriculum.flatMap((section) => section.lessons)
  return {
    id,
    aliases,
    portrait: instructor.image,
    category,
    lessons: lessons.map((lesson) => ({
      id: lesson.id,
      aliases: lesson.aliases,
      title: lesson.title,
      hasMaterial: hasMaterial(lesson),
    })),
    draw: exam.draw,
  }
}
