import { beforeAll, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { parseCatalogQuery } from './catalog-query-schema'
import { searchCatalog } from './search-catalog.server'
import { findSuggestions } from './suggestions.server'

let db: Database

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
})

const listSuggestedTexts = async (typed: string) => {
  const { courses, instructors, skills, words } = await findSuggestions(db, typed)
  const texts = (list: typeof courses) => list.map(({ text }) => text)

  return {
    courses: texts(courses),
    instructors: texts(instructors),
    skills: texts(skills),
    words: texts(words),
  }
}

it('name courses, instructors, skills and words that begin so', async () => {
  expect((await findSuggestions(db, 'pyth')).courses[0]).toEqual({
    text: 'Python from Zero',
    marks: [[0, 4]],
    address: '/OneCourse/python-from-zero',
    count: 1,
  })

  expect((await listSuggestedTexts('pyth')).skills).toEqual(['Python syntax'])
  expect((await listSuggestedTexts('okaf')).instructors).toEqual(['Amara Okafor'])
  expect((await findSuggestions(db, 'okaf')).instructors[0]).toMatchObject({
    address: '/AllCourses?instructor=Amara+Okafor',
    marks: [[6, 10]],
  })
  expect((await listSuggestedTexts('learn pyth')).words).toEqual(['learn python'])
})

it('correct a word that no word begins with', async () => {
  expect((await listSuggestedTexts('pyhton')).words).toEqual(['python'])
})

it('name the courses that a search shows first, by their titles and then by what else is shown of them', async () => {
  const listSuggestedTitles = async (q: string) => {
    const { courses } = await searchCatalog(db, parseCatalogQuery(new URLSearchParams({ q })))
    return courses.slice(0, 4).map(({ title }) => title)
  }
  for (const typed of [
    'f',
    'python',
    'learn',
    'the',
    'okafor',
    'design',
    'esign',
    'zero python',
    'desing',
    'variables',
  ]) {
    expect({ typed, courses: (await listSuggestedTexts(typed)).courses }).toEqual({
      typed,
      courses: await listSuggestedTitles(typed),
    })
  }

  expect((await listSuggestedTexts('f')).courses).toHaveLength(4)
  expect((await listSuggestedTexts('okafor')).courses).toEqual(['Python from Zero'])
})

it('know the sample course of /OneCourse', async () => {
  expect((await listSuggestedTexts('bootc')).courses).toEqual([
    'The Complete Web Development Bootcamp',
  ])
})

it('of an instructor who teaches the sample course alone lead to a search that finds it', async () => {
  const [sofia] = (await findSuggestions(db, 'sofia')).instructors
  const query = parseCatalogQuery(new URL(sofia?.address ?? '', 'http://x').searchParams)

  expect((await searchCatalog(db, query)).courses.map(({ title }) => title)).toEqual([
    'The Complete Web Development Bootcamp',
  ])
})

it.each(['', ' ', '%', '\0', '\u0301', 'x'.repeat(10_000), '😀', '\\', "'"])(
  'are at most ten for %j',
  async (typed) => {
    const all = Object.values(await listSuggestedTexts(typed)).flat()
    expect(all.length).toBeLessThanOrEqual(10)
  },
)

it('of words that go on from several lead to courses that have them all', async () => {
  for (const typed of ['first course in', 'learn p', 'python zer', 'machine l', 'zero synt']) {
    for (const { address } of (await findSuggestions(db, typed)).words) {
      const { total } = await searchCatalog(
        db,
        parseCatalogQuery(new URL(address, 'http://x').searchParams),
      )
      expect({ address, isEmpty: total === 0 }).toEqual({ address, isEmpty: false })
    }
  }

  // Only the less important fields have the word.
  expect((await listSuggestedTexts('zero synt')).words).toEqual(['zero syntax'])
  expect((await listSuggestedTexts('machin lerning')).words).toEqual(['machine learning'])
  expect((await listSuggestedTexts('python zebra')).words).toEqual([])
})

it('of what nobody sees are none', async () => {
  for (const typed of ['\u0301', '\u200b', '\u202e']) {
    expect(Object.values(await listSuggestedTexts(typed)).flat()).toEqual([])
  }
})
