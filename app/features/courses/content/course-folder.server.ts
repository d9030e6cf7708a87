/**
 * Reads and checks the folder of one course: course.yaml, exam.yaml, the cover, the lessons and the
 * downloads. All files are checked even if one of them has a problem, so that one run reports
 * everything.
 */

import path from 'node:path'
import { didYouMean } from '~/server/validation/schema-problems'
import { byCount } from '~/ui/format-count'
import { hasMaterial } from '../lessons/lesson-kinds'
import { hasRepeatedTexts } from '../questions/check-questions.server'
import type { ContentReader } from './content-reader.server'
import { type CourseFile, courseFileSchema } from './course-file.server'
import { countDownloads, type Download, readDownloads } from './download-files.server'
import { type ExamFile, readExam, warnAboutExamTitle } from './exam-file.server'
import { checkCurriculum, checkExplainedIn, findLessons, readLessons } from './lesson-files.server'
import { checkDrawing, checkPicture, pictureRules } from './picture-checks.server'
import { findPictureFile } from './picture-files.server'
import { describeUnknownCategory } from './site-files.server'
import { mediaCommandHint } from './video-files.server'

export type CourseContent = CourseFile & {
  id: string
  exam: ExamFile
  /** The texts of lessons, by lesson ID. */
  lessonTexts: ReadonlyMap<string, string>
  /** The files that lessons offer, by lesson ID. */
  downloads: ReadonlyMap<string, Download[]>
}

type SiteOptions = {
  now: Date
  /** Null if the categories can't be read, which is reported elsewhere. */
  categoryIds: readonly string[] | null
}

/**
 * Reads a course and reports every problem of its folder to the reader.
 *
 * @returns null if a file that the course needs can't be used
 */
export async function readCourse(
  reader: ContentReader,
  id: string,
  { now, categoryIds }: SiteOptions,
): Promise<CourseContent | null> {
  const folder = `courses/${id}`
  const file = `${folder}/course.yaml`
  checkFolderName(reader, folder, id)

  const { value: uncheckedCourse, data: course } = await reader.readYamlFile(file, courseFileSchema)
  checkLegacyPriceKeys(reader, file)
  const exam = await readExam(reader, `${folder}/exam.yaml`)
  await checkCovers(reader, folder)
  await checkDrawings(reader, folder)

  const lessons = findLessons(uncheckedCourse)
  const lessonTexts = await readLessons(reader, folder, lessons)
  const downloads = await readDownloads(reader, folder, lessons)
  if (!course) {
    return null
  }

  await checkPortrait(reader, file, course.instructor.image)
  if (categoryIds && !categoryIds.includes(course.category)) {
    const problem = describeUnknownCategory('category', course.category, categoryIds)
    reader.report(file, problem, ['category'])
  }

  checkDates(reader, file, course, now)
  checkPrices(reader, file, course)
  checkRepetitions(reader, file, course)
  checkCurriculum(reader, folder, course)
  checkExplainedIn(reader, folder, { course, exam, lessonTexts })
  if (exam) {
    warnAboutExamTitle(reader, `${folder}/exam.yaml`, exam, course.title)
  }

  warnAboutMissingDownloads(reader, file, course, countDownloads(downloads))
  warnAboutWrongTotals(reader, file, course)

  return exam === null ? null : { ...course, id, exam, lessonTexts, downloads }
}

function checkFolderName(reader: ContentReader, folder: string, id: string): void {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || id.length > 80) {
    reader.report(
      folder,
      'The folder’s name is the course’s address. Use lowercase letters, digits and single hyphens.',
    )
  }
}

/**
 * Reports keys that a course had until 2026-11, when prices were written in cents: 4900 for $49.
 * Someone who writes `priceCents: 49.00` means dollars.
 */
function checkLegacyPriceKeys(reader: ContentReader, file: string): void {
  for (const key of ['price', 'originalPrice']) {
    const legacyKey = `${key}Cents`
    const legacyPrice = reader.findYamlSource(file, [legacyKey])

    if (legacyPrice !== null && /^\d+\.\d*$/.test(legacyPrice)) {
      reader.report(
        file,
        `\`${legacyKey}: ${legacyPrice}\` would be ${legacyPrice} cents. Write \`${key}: ${legacyPrice}\`.`,
        [legacyKey],
      )
    } else if (legacyPrice !== null && /^\d+$/.test(legacyPrice)) {
      const price = (Number(legacyPrice) / 100).toFixed(2)
      reader.warn(file, `\`${legacyKey}\` is the old key. Write \`${key}: ${price}\`.`, [legacyKey])
    }
  }
}

async function checkCovers(reader: ContentReader, folder: string): Promise<void> {
  const repair = `Add the course’s picture${mediaCommandHint}`
  await checkPicture(reader, `${folder}/cover.webp`, pictureRules.cover, repair)

  // A large cover is optional. Without one, `findPictureFile` returns the other cover.
  const largeCover = await findPictureFile(reader.resolvePath(''), `${folder}/cover-1280.webp`)
  if (largeCover !== null && /^cover-1280\./i.test(path.basename(largeCover))) {
    await checkPicture(reader, largeCover, pictureRules.largeCover, repair)
  }
}

async function checkDrawings(reader: ContentReader, folder: string): Promise<void> {
  for (const name of reader.listNames(folder)) {
    if (name.endsWith('.svg')) {
      await checkDrawing(reader, `${folder}/${name}`)
    }
  }
}

async function checkPortrait(reader: ContentReader, file: string, image: string): Promise<void> {
  const portrait = `instructors/${image}.webp`
  if (await findPictureFile(reader.resolvePath(''), portrait)) {
    await checkPicture(reader, portrait, pictureRules.portrait, 'Export it again.')
    return
  }

  const portraitNames = reader.listNames('instructors').map((name) => path.parse(name).name)
  const suggestion = didYouMean(image, portraitNames)
  reader.report(
    file,
    `There is no portrait \`${portrait}\`.${suggestion} Add it or correct the name.`,
    ['instructor', 'image'],
  )
}

/** In the easternmost time zone, 14 hours ahead of UTC, the next day may have begun already. */
const easternmostOffsetMs = 14 * 60 * 60_000

/** Reports dates of changes and reviews that are in the future. */
function checkDates(reader: ContentReader, file: string, course: CourseFile, now: Date): void {
  const latestDay = new Date(now.getTime() + easternmostOffsetMs).toISOString().slice(0, 10)
  const checkDate = (date: string | null, yamlPath: readonly PropertyKey[]) => {
    if (date !== null && date > latestDay) {
      reader.report(file, `${date} is in the future. Write a date up to today.`, yamlPath)
    }
  }

  checkDate(course.lastUpdated, ['lastUpdated'])
  for (const [index, review] of course.reviewsList.entries()) {
    checkDate(review.date, ['reviewsList', index, 'date'])
  }
}

function checkPrices(reader: ContentReader, file: string, course: CourseFile): void {
  if (course.priceMinor > course.originalPriceMinor) {
    const isLegacyKey = reader.findYamlSource(file, ['originalPrice']) === null
    reader.report(
      file,
      '`originalPrice` is below `price`. Write the price before the discount, or leave it out.',
      [isLegacyKey ? 'originalPriceCents' : 'originalPrice'],
    )
  }

  if (course.priceUntil && course.priceMinor === course.originalPriceMinor) {
    reader.report(
      file,
      '`priceUntil` is for a reduced price. Write `originalPrice`, or leave it out.',
      ['priceUntil'],
    )
  }
}

/** Reports texts and review IDs that appear twice. */
function checkRepetitions(reader: ContentReader, file: string, course: CourseFile): void {
  for (const key of ['skills', 'requirements', 'whatYouLearn'] as const) {
    if (hasRepeatedTexts(course[key])) {
      reader.report(file, `An entry in \`${key}\` appears twice. Delete one.`, [key])
    }
  }

  const paragraphs = course.description.split(/\n\s*\n/)
  if (hasRepeatedTexts(paragraphs)) {
    reader.report(file, 'A paragraph of `description` appears twice. Delete one.', ['description'])
  }

  const reviewIds = new Set<string>()
  for (const [index, { id }] of course.reviewsList.entries()) {
    if (reviewIds.has(id)) {
      const problem = `The review id \`${id}\` appears twice. Give one of them another id.`
      reader.report(file, problem, ['reviewsList', index, 'id'])
    }

    reviewIds.add(id)
  }
}

/**
 * Warns if the lessons offer fewer downloads than the course page promises. This is no problem,
 * because the number may be that of the finished course.
 */
function warnAboutMissingDownloads(
  reader: ContentReader,
  file: string,
  { downloadableResources: promisedCount }: CourseFile,
  offeredCount: number,
): void {
  const missingCount = promisedCount - offeredCount
  if (missingCount <= 0) {
    return
  }

  const promise = `\`downloadableResources\` is ${promisedCount}`
  const offeredDownloads = offeredCount === 1 ? '1 download' : `${offeredCount} downloads`
  const warning =
    offeredCount === 0
      ? `${promise}, but the lessons offer no downloads. Add ${missingCount}.`
      : `${promise}, but the lessons offer ${offeredDownloads}. Add ${missingCount} more.`

  reader.warn(file, warning, ['downloadableResources'])
}

/** A course may round its length to the next hour. */
const maxRoundingMinutes = 60

/** Warns if the course announces other totals than its sections. */
function warnAboutWrongTotals(reader: ContentReader, file: string, course: CourseFile): void {
  const { curriculum, lectures, durationHours } = course
  const sectionLectures = curriculum.reduce((total, section) => total + section.lectures, 0)
  if (lectures !== sectionLectures) {
    const warning = `\`lectures\` is ${lectures}, but the sections have ${sectionLectures}. Write ${sectionLectures}, or leave it out.`
    reader.warn(file, warning, ['lectures'])
  }

  const minutes = curriculum.reduce((total, section) => total + section.durationMinutes, 0)
  if (Math.abs(durationHours * 60 - minutes) >= maxRoundingMinutes) {
    const warning = `\`durationHours\` is ${durationHours}, but the sections have ${minutes} ${byCount(minutes, 'minute', 'minutes')}. Correct it, or leave it out.`
    reader.warn(file, warning, ['durationHours'])
  }
}

/**
 * What other files refer to in a course. It is stored, so that an unchanged course need not be read
 * again to check these references.
 */
export type CourseOutline = {
  id: string
  aliases: string[]
  /** The base name of the instructor's portrait. */
  portrait: string
  category: string
  lessons: { id: string; aliases: string[]; title: string; hasMaterial: boolean }[]
  /** The number of questions in an attempt at the exam. */
  draw: number
}

export function toCourseOutline(
  course: Pick<CourseContent, 'id' | 'aliases' | 'instructor' | 'category' | 'curriculum' | 'exam'>,
): CourseOutline {
  const lessons = course.curriculum.flatMap((section) => section.lessons)

  return {
    id: course.id,
    aliases: course.aliases,
    portrait: course.instructor.image,
    category: course.category,
    lessons: lessons.map((lesson) => ({
      id: lesson.id,
      aliases: lesson.aliases,
      title: lesson.title,
      hasMaterial: hasMaterial(lesson),
    })),
    draw: course.exam.draw,
  }
}
