import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { CourseHero } from './course-page'
import type { CourseDetail } from './course-queries.server'

const course = {
  title: 'Three Knots',
  category: 'design',
  level: 'beginner',
  lastUpdated: '2026-11-22',
  instructor: { name: 'Ada Lovelace' },
} as CourseDetail

const render = (figures: { reviews: number; students: number }) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <CourseHero course={{ ...course, rating: 4.5, durationHours: 2, ...figures }} />
    </MemoryRouter>,
  )

it('a course without reviews and students makes up no figures, nor says who is the first', () => {
  const page = render({ reviews: 0, students: 0 })
  expect(page).not.toMatch(/4\.5|review|student|first/)
})

it('a course says how many students it has', () => {
  expect(render({ reviews: 0, students: 1 })).toContain('1 student<')
})
