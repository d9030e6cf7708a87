import { and, eq, sql } from 'drizzle-orm'
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
import { downloadsInAll } from '~/server/database/schema/learning'
import { env } from '~/server/env.server'
import { siteCurrency } from '~/server/site/site.server'
import { categoryName, formattedPrice } from '../course-columns.server'

const cardColumns = {
  id: courses.id,
  title: courses.title,
  summary: courses.summary,
  instructorName: courses.instructorName,
  rating: displayedRating,
  reviews: displayedReviewCount,
  durationHours: courses.durationHours,
  students: courses.students,
  priceCents: courses.priceCents,
  price: formattedPrice(courses.priceCents),
  category: courses.category,
  categoryName,
  level: courses.level,
}

export type CourseLesson = Pick<
  typeof courseLessons.$inferSelect,
  'id' | 'title' | 'kind' | 'durationSeconds' | 'preview'
> & {
  /** Public addresses of a preview's video; null for any other lesson. */
  previewFiles: PreviewFiles | null
  /** Files to download, and their size together. */
  downloads: { count: number; bytes: number }
}
export type CourseSection = Pick<
  typeof courseSections.$inferSelect,
  'id' | 'title' | 'lectures' | 'durationMinutes'
> & { lessons: CourseLesson[] }
type PreviewFiles = { mp4: string; webm: string | null; captions: string | null; poster: string }
export type CourseDetail = NonNullable<Awaited<ReturnType<typeof findCourseDetail>>>

/**
 * Everything that a course's page shows, in one round trip; no lesson's material.
 *
 * @param reviews which of its reviews.
 * @returns null for an unknown or unpublished course.
 */
export async function findCourseDetail(
  db: Database,
  id: string,
  reviews: ReviewChoice = defaultReviewChoice,
) {
  const [course] = await db
    .select({
      ...cardColumns,
      subtitle: courses.subtitle,
      description: courses.description,
      language: courses.language,
      originalPriceCents: courses.originalPriceCents,
      originalPrice: formattedPrice(courses.originalPriceCents),
      priceUntil: courses.priceUntil,
      lowestMinor: env.SHOW_LOWEST_PRICE ? selectLowestPriorPrice() : sql<null>`null`,
      lectures: courses.lectures,
      downloadableResources: courses.downloadableResources,
      lastUpdated: courses.lastUpdated,
      instructor: courses.instructor,
      skills: courses.skills,
      requirements: courses.requirements,
      whatYouLearn: courses.whatYouLearn,
      sections: sql<StoredSection[]>`${sectionsOfCourse}`,
      reviewPage: selectReviewPage(reviews),
    })
    .from(courses)
    .where(and(eq(courses.id, id), eq(courses.published, true)))

  if (!course) {
    return null
  }

  const { reviewPage, sections, lowestMinor, ...detail } = course
  const { list, ...page } = reviewPage
  const currency = siteCurrency()
  const offer = { price: formatDecimal(detail.priceCents, currency), currency }
  const curriculum = await Promise.all(sections.map((section) => withPreviews(section, id)))
  const isReduced = detail.priceCents < detail.originalPriceCents
  const lowestPrice = isReduced && lowestMinor !== null ? formatPrice(lowestMinor, currency) : null
  // EU law wants the percentage to refer to the lowest price of the last 30 days (Court of Justice
  // of the EU, C-330/23).
  const off = isReduced
    ? getPercentOff(detail.priceCents, lowestMinor ?? detail.originalPriceCents)
    : 0

  return {
    ...detail,
    isReduced,
    off,
    lowestPrice,
    curriculum,
    offer,
    reviewsList: list,
    reviewPage: page,
  }
}

type StoredSection = Omit<CourseSection, 'lessons'> & {
  lessons: (Omit<CourseLesson, 'previewFiles'> & { previewVideo: string | null })[]
}

async function withPreviews(
  { lessons, ...section }: StoredSection,
  courseId: string,
): Promise<CourseSection> {
  const shown = lessons.map(async ({ previewVideo, ...lesson }) => {
    const files = previewVideo === null ? null : await listVideoFiles(previewVideo)
    const poster = files?.poster ?? `/media/courses/${courseId}/cover-1280.webp`
    return { ...lesson, previewFiles: files && { ...files, poster } }
  })

  return { ...section, lessons: await Promise.all(shown) }
}

const sectionsOfCourse = sql`(
  select coalesce(json_agg(json_build_object(
    'id', s.id, 'title', s.title, 'lectures', s.lectures, 'durationMinutes', s.duration_minutes,
    'lessons', (
      select coalesce(json_agg(json_build_object(
        'id', l.id, 'title', l.title, 'kind', l.kind, 'durationSeconds', l.duration_seconds,
        'preview', l.preview, 'previewVideo', case when l.preview then l.video end,
        'downloads', (${downloadsInAll(sql`l.downloads`)})) order by l.position), '[]')
      from ${courseLessons} l where l.course_id = s.course_id and l.section_id = s.id and not l.retired
    )) order by s.position), '[]')
  from ${courseSections} s where s.course_id = courses.id)`
