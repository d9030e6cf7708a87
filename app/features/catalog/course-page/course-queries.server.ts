import { and, eq, sql } from 'drizzle-orm'
import { selectDownloadSummary } from '~/features/courses/content/download-files.server'
import { listVideoFiles } from '~/features/courses/content/video-files.server'
import { selectLowestPriorPrice } from '~/features/courses/prices.server'
import { defaultReviewChoice, type ReviewChoice } from '~/features/reviews/review-list'
import {
  displayedRating,
  displayedReviewCount,
  selectReviewPage,
} from '~/features/reviews/review-page-queries.server'
import { formatDecimal, formatPrice, getPercentOff } from '~/features/school/money'
import type { Database } from '~/server/database/client.server'
import { courseLessons, courseSections, courses } from '~/server/database/schema'
import { env } from '~/server/env.server'
import { siteCurrency } from '~/server/site/site.server'
import { categoryName, formattedPrice } from '../course-columns.server'

/** The columns that a card of the course shows as well. */
const cardColumns = {
  id: courses.id,
  title: courses.title,
  summary: courses.summary,
  instructorName: courses.instructorName,
  rating: displayedRating,
  reviews: displayedReviewCount,
  durationHours: courses.durationHours,
  students: courses.students,
  priceMinor: courses.priceMinor,
  price: formattedPrice(courses.priceMinor),
  category: courses.category,
  categoryName,
  level: courses.level,
}

export type CourseLesson = Pick<
  typeof courseLessons.$inferSelect,
  'id' | 'title' | 'kind' | 'durationSeconds' | 'preview'
> & {
  /** The public URLs of a preview's video. Null if the lesson has no preview. */
  previewFiles: PreviewFiles | null
  /** The number of files to download, and their total size. */
  downloads: { count: number; bytes: number }
}

export type CourseSection = Pick<
  typeof courseSections.$inferSelect,
  'id' | 'title' | 'lectures' | 'durationMinutes'
> & { lessons: CourseLesson[] }

type PreviewFiles = { mp4: string; webm: string | null; captions: string | null; poster: string }

export type CourseDetail = NonNullable<Awaited<ReturnType<typeof findCourseDetail>>>

/**
 * Returns everything that a course's page shows. The database is asked once, and the folder of
 * videos once for each lesson with a preview. The lessons come without their material.
 *
 * @param reviewChoice the page of reviews to return
 * @returns null if the course is unknown or not published
 */
export async function findCourseDetail(
  db: Database,
  courseId: string,
  reviewChoice: ReviewChoice = defaultReviewChoice,
) {
  const [course] = await db
    .select({
      ...cardColumns,
      subtitle: courses.subtitle,
      description: courses.description,
      language: courses.language,
      originalPriceMinor: courses.originalPriceMinor,
      originalPrice: formattedPrice(courses.originalPriceMinor),
      priceUntil: courses.priceUntil,
      lowestPriceMinor: env.SHOW_LOWEST_PRICE ? selectLowestPriorPrice() : sql<null>`null`,
      lectures: courses.lectures,
      downloadableResources: courses.downloadableResources,
      lastUpdated: courses.lastUpdated,
      instructor: courses.instructor,
      skills: courses.skills,
      requirements: courses.requirements,
      whatYouLearn: courses.whatYouLearn,
      sections: sql<StoredSection[]>`${sectionsAsJson}`,
      reviewPage: selectReviewPage(reviewChoice),
    })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.published, true)))

  if (!course) {
    return null
  }

  const { reviewPage, sections, lowestPriceMinor, ...detail } = course
  const { list: reviewsList, ...reviewPaging } = reviewPage
  const currency = siteCurrency()

  return {
    ...detail,
    ...describeReduction({ ...detail, lowestPriceMinor }),
    curriculum: await Promise.all(sections.map((section) => addPreviewFiles(section, courseId))),
    // Structured data wants the price as a plain number.
    offer: { price: formatDecimal(detail.priceMinor, currency), currency },
    reviewsList,
    reviewPage: reviewPaging,
  }
}

/** Returns what the page says about a price that is reduced for now. */
function describeReduction(prices: {
  priceMinor: number
  originalPriceMinor: number
  /** The lowest price of the last 30 days. Null if there is none or the school doesn't show it. */
  lowestPriceMinor: number | null
}) {
  const { priceMinor, originalPriceMinor, lowestPriceMinor } = prices
  const isReduced = priceMinor < originalPriceMinor
  if (!isReduced) {
    return { isReduced, percentOff: 0, lowestPrice: null }
  }

  return {
    isReduced,
    // EU law wants the percentage to refer to the lowest price of the last 30 days (Court of
    // Justice of the EU, C-330/23). If that was not higher than today's price, the percentage is 0.
    percentOff: getPercentOff(priceMinor, lowestPriceMinor ?? originalPriceMinor),
    lowestPrice: lowestPriceMinor === null ? null : formatPrice(lowestPriceMinor, siteCurrency()),
  }
}

type StoredSection = Omit<CourseSection, 'lessons'> & {
  lessons: (Omit<CourseLesson, 'previewFiles'> & { previewVideo: string | null })[]
}

async function addPreviewFiles(
  { lessons, ...section }: StoredSection,
  courseId: string,
): Promise<CourseSection> {
  const lessonsWithFiles = lessons.map(async ({ previewVideo, ...lesson }) => {
    const files = previewVideo === null ? null : await listVideoFiles(previewVideo)
    const poster = files?.poster ?? `/media/courses/${courseId}/cover-1280.webp`
    return { ...lesson, previewFiles: files && { ...files, poster } }
  })

  return { ...section, lessons: await Promise.all(lessonsWithFiles) }
}

/** SQL for the sections of a row of `courses` with their lessons, in order. */
const sectionsAsJson = sql`(
  select coalesce(
    json_agg(
      json_build_object(
        'id', s.id,
        'title', s.title,
        'lectures', s.lectures,
        'durationMinutes', s.duration_minutes,
        'lessons', (
          select coalesce(
            json_agg(
              json_build_object(
                'id', l.id,
                'title', l.title,
                'kind', l.kind,
                'durationSeconds', l.duration_seconds,
                'preview', l.preview,
                'previewVideo', case when l.preview then l.video end,
                'downloads', (${selectDownloadSummary(sql`l.downloads`)})
              )
              order by l.position
            ),
            '[]'
          )
          from ${courseLessons} l
          where l.course_id = s.course_id and l.section_id = s.id and not l.retired
        )
      )
      order by s.position
    ),
    '[]'
  )
  from ${courseSections} s
  where s.course_id = courses.id
)`
