import { categoryNames, levelNames } from './course-filters'
import type { CourseDetail } from './course-queries.server'

/** The course as search engines read it: https://schema.org/Course. */
export function structuredCourse(course: CourseDetail) {
  return {
    '@context': 'https://schema.org',
    '@type': 'Course',
    name: course.title,
    description: course.summary,
    provider: { '@type': 'Organization', name: 'Learnify' },
    inLanguage: course.language,
    educationalLevel: levelNames[course.level],
    about: categoryNames[course.category],
    teaches: course.skills,
    dateModified: course.lastUpdated,
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: course.rating,
      ratingCount: course.reviews,
      bestRating: 5,
    },
    offers: {
      '@type': 'Offer',
      category: 'Paid',
      price: (course.priceCents / 100).toFixed(2),
      priceCurrency: 'USD',
    },
    hasCourseInstance: {
      '@type': 'CourseInstance',
      courseMode: 'Online',
      courseWorkload: `PT${course.durationHours}H`,
      instructor: { '@type': 'Person', name: course.instructor.name },
    },
  }
}
