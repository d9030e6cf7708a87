import { afterAll, describe, expect, it } from 'vitest'
import { copyShippedContent } from '../../../../tests/support/shipped-content'
import { readContent } from './content-files.server'
import { listCategoryIds } from './site-files.server'

/**
 * Most other tests use the content of `tests/content/`. A school may add its own categories and
 * testimonials to the shipped ones.
 */
const shippedContent = await copyShippedContent()
afterAll(() => shippedContent.remove())

const { content, problems } = await readContent(shippedContent.folder)
const courses = content?.courses ?? []

const specifiedCategoryIds = ['technology', 'design', 'business', 'marketing', 'photography']
const specifiedCards: (string | null | undefined)[][] = [
  ['Programming', '120+'],
  ['Design', '85+'],
  ['Business', '95+'],
  ['Marketing', '65+'],
  ['Science', '75+'],
  ['Music', '40+'],
  ['Health & Fitness', '55+'],
  ['Photography', '35+'],
]

describe('content', () => {
  it('as shipped is good: twelve courses in the catalog and the sample beside them', () => {
    expect(problems).toEqual([])

    const catalog = courses.filter((course) => course.inCatalogue)
    expect(catalog).toHaveLength(12)

    const prices = catalog.map(({ priceMinor }) => priceMinor)
    expect([Math.min(...prices), Math.max(...prices)]).toEqual([6_900, 24_900])
    expect(courses.filter((course) => !course.inCatalogue).map((course) => course.id)).toEqual([
      'complete-web-development',
    ])
    expect(content?.testimonials.length).toBeGreaterThanOrEqual(8)
  })

  it('has the sample course that the specification describes', () => {
    expect(courses.find(({ inCatalogue }) => !inCatalogue)).toMatchObject({
      priceMinor: 19_900,
      originalPriceMinor: 29_900,
      durationHours: 65,
      lectures: 180,
    })

    expect(courses.find(({ inCatalogue }) => !inCatalogue)?.curriculum).toHaveLength(4)
  })

  it('asks only what a lesson explains: each question of a quiz or an exam names the place', () => {
    const quizzes = courses.flatMap(({ curriculum }) =>
      curriculum.flatMap(({ lessons }) =>
        lessons.flatMap((lesson) => (lesson.kind === 'quiz' ? lesson.questions : [])),
      ),
    )
    const questions = [...quizzes, ...courses.flatMap(({ exam }) => exam?.questions ?? [])]

    expect(questions.length).toBeGreaterThan(250)
    expect(questions.filter(({ explainedIn }) => !explainedIn)).toEqual([])
  })

  it('has the categories of the specification: five of the catalog, eight on the home page', () => {
    const categoryIds = listCategoryIds(content?.categories ?? [])
    expect(categoryIds.filter((id) => specifiedCategoryIds.includes(id))).toEqual(
      specifiedCategoryIds,
    )

    const cards = content?.categories.map(({ card, courses: count }) => [card, count]) ?? []
    const specifiedNames = specifiedCards.map(([name]) => name)
    expect(cards.filter(([name]) => specifiedNames.includes(name))).toEqual(specifiedCards)
  })
})
