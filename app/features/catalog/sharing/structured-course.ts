import { siteName } from '~/ui/site-name'
import { getAvailableMaterial } from '../course-page/course-messages'
import type { CourseDetail } from '../course-page/course-queries.server'
import { levelNames } from '../search/facets'

const context = 'https://schema.org'

/**
 * The course as search engines read it: https://schema.org/Course.
 *
 * @param address of its page, absolute.
 * @param image absolute.
 */
export function structuredCourse(
  course: CourseDetail,
  { address, image }: { address: string; image: string },
) {
  const there = getAvailableMaterial(course.curriculum)
  return {
    '@context': context,
    '@type': 'Course',
    '@id': address,
    url: address,
    name: course.title,
    description: course.summary,
    image,
    provider: { '@type': 'Organization', name: siteName(), url: new URL('/', address).href },
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
      category: course.priceCents === 0 ? 'Free' : 'Paid',
      price: course.offer.price,
      priceCurrency: course.offer.currency,
      ...(course.priceUntil && { priceValidUntil: course.priceUntil }),
      url: address,
    },
    hasCourseInstance: {
      '@type': 'CourseInstance',
      courseMode: 'Online',
      // The available lessons, not the announced ones.
      ...(there.lessons.length > 0 && { courseWorkload: `PT${there.minutes}M` }),
      instructor: { '@type': 'Person', name: course.instructor.name },
    },
  }
}

/**
 * Where a page stands, from the top down: https://schema.org/BreadcrumbList.
 *
 * @param steps with absolute addresses.
 */
export function structuredBreadcrumbs(steps: readonly { name: string; address: string }[]) {
  return {
    '@context': context,
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, address }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: address,
    })),
  }
}

/** The courses of a page in their order: https://schema.org/ItemList. @param addresses absolute. */
export function structuredList(addresses: readonly string[]) {
  return {
    '@context': context,
    '@type': 'ItemList',
    numberOfItems: addresses.length,
    itemListElement: addresses.map((url, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      url,
    })),
  }
}
