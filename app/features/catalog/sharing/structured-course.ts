/**
 * Structured data (JSON-LD) about courses, which search engines read: https://schema.org. All URLs
 * in it are absolute.
 */
import { siteName } from '~/ui/site-name'
import { getAvailableMaterial } from '../course-page/course-messages'
import type { CourseDetail } from '../course-page/course-queries.server'
import { levelNames } from '../search/facets'

const context = 'https://schema.org'

/** Describes a course: https://schema.org/Course. */
export function createCourseJsonLd(
  course: CourseDetail,
  { pageUrl, imageUrl }: { pageUrl: string; imageUrl: string },
) {
  const available = getAvailableMaterial(course.curriculum)

  return {
    '@context': context,
    '@type': 'Course',
    '@id': pageUrl,
    url: pageUrl,
    name: course.title,
    description: course.summary,
    image: imageUrl,
    provider: { '@type': 'Organization', name: siteName(), url: new URL('/', pageUrl).href },
    inLanguage: { '@type': 'Language', name: course.language },
    educationalLevel: levelNames[course.level],
    about: course.categoryName,
    teaches: course.skills,
    dateModified: course.lastUpdated,
    // Without reviews there is no rating to show.
    ...(course.reviews > 0 && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: course.rating,
        ratingCount: course.reviews,
        bestRating: 5,
      },
    }),
    offers: {
      '@type': 'Offer',
      category: course.priceMinor === 0 ? 'Free' : 'Paid',
      price: course.offer.price,
      priceCurrency: course.offer.currency,
      ...(course.priceUntil && { priceValidUntil: course.priceUntil }),
      url: pageUrl,
    },
    hasCourseInstance: {
      '@type': 'CourseInstance',
      courseMode: 'Online',
      // Only available lessons count, not announced ones.
      ...(available.lessons.length > 0 && { courseWorkload: `PT${available.minutes}M` }),
      instructor: { '@type': 'Person', name: course.instructor.name },
    },
  }
}

/**
 * Describes the way from the catalog to a page: https://schema.org/BreadcrumbList.
 *
 * @param pages the topmost page first
 */
export function createBreadcrumbsJsonLd(pages: readonly { name: string; url: string }[]) {
  return {
    '@context': context,
    '@type': 'BreadcrumbList',
    itemListElement: pages.map(({ name, url }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: url,
    })),
  }
}

/** Describes a list of courses in its order: https://schema.org/ItemList. */
export function createCourseListJsonLd(courseUrls: readonly string[]) {
  return {
    '@context': context,
    '@type': 'ItemList',
    numberOfItems: courseUrls.length,
    itemListElement: courseUrls.map((url, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      url,
    })),
  }
}
