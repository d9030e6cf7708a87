import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { categories, courses } from '~/server/database/schema'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { type CatalogQuery, type CatalogResult, pageLength } from './catalog-query'
import { parseCatalogQuery } from './catalog-query-schema'
import { searchCatalog } from './search-catalog.server'
import { indexContent, updatePriceRanges, writeCourseSearch } from './search-index.server'

let db: Database

/** The fields of a course that has nothing in common with others. A test overrides some of them. */
const minimalCourse = {
  subtitle: 'Xx',
  summary: 'Xx',
  description: 'Xx',
  category: 'business',
  level: 'beginner',
  language: 'English',
  inCatalogue: true,
  published: true,
  priceMinor: 5000,
  originalPriceMinor: 5000,
  durationHours: 3,
  lectures: 1,
  downloadableResources: 0,
  students: 10,
  rating: 3.2,
  reviews: 1,
  lastUpdated: '2026-01-01',
  instructorName: 'Xx',
  instructor: {
    name: 'Xx',
    title: 'Xx',
    experience: 'Xx',
    students: 1,
    courses: 1,
    rating: 3,
    bio: 'Xx',
    image: 'xx',
  },
  skills: [],
  requirements: [],
  whatYouLearn: [],
} satisfies Omit<typeof courses.$inferInsert, 'id' | 'title'>

const addedCourses: (typeof courses.$inferInsert)[] = [
  { ...minimalCourse, id: 'ecole', title: 'Écrire à l’école', instructorName: 'ØYSTEIN Ås' },
  { ...minimalCourse, id: 'odd', title: '100% snake_case \\o/ 😀' },
  { ...minimalCourse, id: 'cpp', title: 'Systems in C++', summary: 'Memory and time' },
  { ...minimalCourse, id: 'csharp', title: 'Windows with C#', summary: 'Built on .NET' },
  {
    ...minimalCourse,
    id: 'post',
    title: 'E-mail that people answer',
    category: 'marketing',
    language: 'Deutsch',
  },
  {
    ...minimalCourse,
    id: 'post-2',
    title: 'Writing an email',
    summary: 'One letter a day',
    language: 'Deutsch',
    priceMinor: 0,
  },
  { ...minimalCourse, id: 'hues', title: 'Colour for painters', skills: ['Unit tests'] },
  { ...minimalCourse, id: 'js', title: 'JavaScript by hand' },
  { ...minimalCourse, id: 'hidden', title: 'Unlisted draftsman', inCatalogue: false },
  { ...minimalCourse, id: 'draft', title: 'Unfinished draftsman', published: false },
  { ...minimalCourse, id: 'hebrew', title: 'עברית למתחילים' },
  {
    ...minimalCourse,
    id: 'letter',
    title: 'Grade a zebra',
    instructorName: 'Jean\u00a0Dupont',
    skills: ['Noe\u0308l'],
  },
  { ...minimalCourse, id: 'no-letter', title: 'Grade all zebras' },
  { ...minimalCourse, id: 'bread', title: 'Sourdough', category: 'baking' },
]

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
  await db.insert(courses).values(addedCourses)
  await db.execute(sql`
    insert into search_synonyms (position, phrases) values (100, '{email,e-mail}'), (101, '{colour,color}'), (102, '{js,javascript}'), (103, '{c#,csharp}')
    on conflict do nothing`)
  await db
    .insert(categories)
    .values({ position: 100, id: 'baking', name: 'Baking & Pastry', icon: 'cake' })
  await db.transaction((transaction) => indexContent(transaction, []))
})

/** Finds what the URL parameters of a catalog page describe. */
function findByParameters(parameters: string) {
  return searchCatalog(db, parseCatalogQuery(new URLSearchParams(parameters)))
}

function search(searchedText: string, options: Partial<CatalogQuery> = {}) {
  const query = parseCatalogQuery(new URLSearchParams({ q: searchedText }))
  return searchCatalog(db, { ...query, ...options })
}

function getIds({ courses }: CatalogResult): string[] {
  return courses.map(({ id }) => id)
}

/** Returns the words in every order. */
function listOrders(words: readonly string[]): string[][] {
  if (words.length <= 1) {
    return [[...words]]
  }

  return words.flatMap((word, index) =>
    listOrders(words.toSpliced(index, 1)).map((otherWords) => [word, ...otherWords]),
  )
}

async function searchIds(searchedText: string, options?: Partial<CatalogQuery>) {
  return getIds(await search(searchedText, options))
}

describe('a category of the school', () => {
  it('is a filter with its own name and count, at the place of its file', async () => {
    const { courses, facets } = await findByParameters('category=baking')

    expect(courses).toMatchObject([{ id: 'bread', categoryName: 'Baking & Pastry' }])
    expect(facets.category.at(-1)).toEqual({ value: 'baking', name: 'Baking & Pastry', count: 1 })
    expect(facets.category.slice(0, 2)).toMatchObject([
      { value: 'all', name: 'All Categories' },
      { value: 'technology', name: 'Technology' },
    ])
  })

  it('that does not exist counts as not chosen', async () => {
    const { category, total } = await findByParameters('category=alchemy')
    expect({ category, total }).toEqual({
      category: 'all',
      total: (await findByParameters('')).total,
    })
  })
})

describe('the specified search', () => {
  it('finds a piece of title, description or instructor, whatever the case', async () => {
    expect(await searchIds('PYTHON FROM')).toEqual(['python-from-zero'])
    expect(await searchIds('ython fro')).toEqual(['python-from-zero'])
    expect(await searchIds('hash tables')).toEqual(['data-structures-and-algorithms'])
    expect(await searchIds('ash tabl')).toEqual(['data-structures-and-algorithms'])
    expect(await searchIds('noor hADDad')).toEqual(['interface-design-fundamentals'])
  })

  it('finds the same as the database, for every piece of the shipped courses', async () => {
    const { rows } = await db.execute<{ text: string }>(
      sql`select title || '|' || summary || '|' || instructor_name as text from courses where published and in_catalogue`,
    )
    const pieces = rows.flatMap(({ text }, index) =>
      [1, 2, 3, 5, 9, 14].map((length) => text.slice(index * 7, index * 7 + length).trim()),
    )
    for (const piece of new Set(pieces.filter((piece) => piece !== '' && !piece.includes('|')))) {
      const pattern = `%${piece.replaceAll(/[\\%_]/g, '\\$&')}%`
      const { rows: expected } = await db.execute<{ id: string }>(sql`
        select id from courses where published and in_catalogue
          and (title ilike ${pattern} or summary ilike ${pattern} or instructor_name ilike ${pattern})`)
      const result = await search(piece)

      expect(result.total).toBeGreaterThanOrEqual(expected.length)
      const hasOnePage = result.total <= pageLength
      if (hasOnePage) {
        const expectedIds = expected.map(({ id }) => id)
        expect({ piece, ids: getIds(result) }).toEqual({
          piece,
          ids: expect.arrayContaining(expectedIds),
        })
      }
    }
  })

  it('combines with category and level', async () => {
    expect(getIds(await findByParameters('q=e&category=design&level=advanced'))).toEqual([
      'design-systems-that-last',
    ])
    expect(getIds(await findByParameters('q=python&category=design'))).toEqual([])
  })

  it.each(['%', '_', '\\', '\\o/', '100%', 'snake_', '😀'])('takes %s literally', async (q) => {
    expect(await searchIds(q)).toEqual(['odd'])
  })

  it.each(['%%', '"; drop table courses; --', '$1', '\\%', '<script>', '\u202e', 'zzz', '((', '*'])(
    'finds nothing by %j',
    async (q) => {
      const result = await search(q)

      expect(result).toMatchObject({
        courses: [],
        total: 0,
        correction: null,
        hiddenMentionCount: 0,
      })

      expect(result.alternatives?.categories.length).toBeGreaterThan(0)
    },
  )

  it('folds case and accents', async () => {
    for (const q of ['éCRIRE À', 'ecrire a', 'oystein as', 'ØYSTEIN']) {
      expect(await searchIds(q)).toEqual(['ecole'])
    }

    expect(await searchIds('עברית')).toEqual(['hebrew'])
  })

  it('survives NUL bytes, 10,000 characters and any signs of an address', async () => {
    for (const q of [
      'pyth\0on 😀 \u202e',
      'x'.repeat(10_000),
      'a '.repeat(5_000),
      '\u0301',
      "' or 1=1 --",
      '´',
      '🏳️‍🌈',
    ]) {
      expect((await search(parseCatalogQuery(new URLSearchParams({ q })).q)).total).toBeLessThan(24)
    }
  })

  it.each([
    ['noor’s', []],
    ["l'ecole", ['ecole']],
    ['crire à l', ['ecole']],
    ['CRIRE A L', ['ecole']],
    ['py\u200bthon fr\u00adom', ['python-from-zero']],
    ['ｐｙｔｈｏｎ from', ['python-from-zero']],
    ['e_c', ['odd']],
    ['(hash tables)', ['data-structures-and-algorithms']],
    ['windows/c#', ['csharp']],
    ['e–mail that', ['post']],
    ['l th', ['post']],
    ['n .N', ['csharp']],
    ['n .', ['csharp']],
  ])('finds %j whatever its signs look like', async (q, expected) => {
    const foundIds = await searchIds(q)

    expect(foundIds).toEqual(expect.arrayContaining(expected))
    expect(foundIds).toHaveLength((await search(q)).total)
  })

  it('keeps drafts and courses outside the catalog out', async () => {
    expect(await searchIds('draftsman')).toEqual([])
  })
})

describe('words', () => {
  it('are found in other forms, which are marked', async () => {
    const [course] = (await search('systems designing')).courses
    const markedTexts = course?.marks.title.map(([from, to]) => course.title.slice(from, to))

    expect(course?.id).toBe('design-systems-that-last')
    expect(markedTexts).toEqual(['Design', 'Systems'])
    expect(await searchIds('writes')).toContain('post-2')
  })

  it('are found in any order, the last also by its beginning', async () => {
    expect(await searchIds('zero python')).toEqual(['python-from-zero'])
    expect(await searchIds('zero pyth')).toEqual(['python-from-zero'])
    expect(await searchIds('okafor zero')).toEqual(['python-from-zero'])
    expect(await searchIds('zer python', { exact: true })).toEqual([])
  })

  it('of one letter are no beginnings, but for the last', async () => {
    expect(await searchIds('a grade')).toEqual(['letter'])
    expect(await searchIds('a, grade.')).toEqual(['letter'])
    expect(new Set(await searchIds('grade a'))).toEqual(new Set(['letter', 'no-letter']))
  })

  it('are found with signs between them that mean nothing', async () => {
    for (const q of ['python+zero', '~python zero', 'python😀zero', 'zero>python']) {
      expect(await searchIds(q)).toEqual(['python-from-zero'])
    }
  })

  it('may have signs', async () => {
    expect(await searchIds('C++')).toEqual(['cpp'])
    expect(await searchIds('c#')).toEqual(['csharp'])
    expect(await searchIds('windows .NET')).toEqual(['csharp'])
    expect(await searchIds('time C++')).toEqual(['cpp'])
  })

  it('with the same meaning are the same', async () => {
    for (const q of ['email', 'E-Mail']) {
      expect(new Set(await searchIds(q))).toEqual(
        new Set(['digital-marketing-essentials', 'post', 'post-2']),
      )
    }

    expect(await searchIds('color painters')).toEqual(['hues'])
    expect(await searchIds('js hand')).toEqual(['js'])
    expect(await searchIds('js')).toContain('js')
  })

  it('in the title come first', async () => {
    const [first] = await searchIds('photography')
    expect(first).toBe('photography-light-and-composition')
  })

  it('find the sample course of /OneCourse, which the catalog does not list', async () => {
    expect(await searchIds('bootcamp')).toEqual(['complete-web-development'])
    expect(getIds(await findByParameters('category=technology'))).not.toContain(
      'complete-web-development',
    )
  })
})

describe('what only skills, lesson titles or the subtitle say', () => {
  it('is shown at once when nothing else matches', async () => {
    const result = await search('unit tests')

    expect(getIds(result)).toContain('python-from-zero')
    expect(result).toMatchObject({ hasOnlyMentions: true, hiddenMentionCount: 0 })
  })

  it('is shown on request when something does', async () => {
    const result = await search('functions')
    const resultWithMentions = await search('functions', { mentions: true })

    expect(result.hasOnlyMentions).toBe(false)
    expect(result.hiddenMentionCount).toBeGreaterThan(0)
    expect(resultWithMentions.hiddenMentionCount).toBe(0)
    expect(resultWithMentions.total).toBe(result.total + result.hiddenMentionCount)
    expect(getIds(resultWithMentions).slice(0, result.total)).toEqual(getIds(result))
  })

  it('does not follow by itself because a filter leaves nothing else', async () => {
    const result = await findByParameters('q=functions&category=photography')
    expect(result).toMatchObject({ total: 0, hasOnlyMentions: false })
  })
})

describe('typing errors', () => {
  it.each([
    ['pyton', 'python'],
    ['pyhton', 'python'],
    ['fotography', 'photography'],
    ['zero pyhton', 'zero python'],
    ['javascrpt', 'javascript'],
    ['snakecase', 'snake case'],
    ['zro python', 'zero python'],
    ['python zro', 'python zero'],
    ['dta structures', 'data structures'],
    ['csharp widows', 'csharp windows'],
    ['widows csharp', 'windows csharp'],
    ['designing fundamntals', 'designing fundamentals'],
    ['fundamntals designing', 'fundamentals designing'],
    ['python form zero', 'python from zero'],
  ])('are corrected: %s is %s', async (typed, meant) => {
    const result = await search(typed)

    expect(result.correction).toEqual({ from: typed, to: meant })
    expect(getIds(result)).toEqual(await searchIds(meant))
    expect(result.total).toBeGreaterThan(0)
  })

  // Each word is followed by a misspelling. 'form' is a word of other courses. 'fro' and 'lass' are
  // the beginning of 'from' and 'lasso', for which a last word may stand.
  it.each<Record<string, string>>([
    { web: 'wen', design: 'desing' },
    { digital: 'digtal', marketing: 'markting' },
    { python: 'pyhton', from: 'form', zero: 'zreo' },
    { typography: 'typogrphy', for: 'fro', screens: 'screnes' },
    { content: 'contnet', that: 'taht', lasts: 'lass' },
  ])('are corrected in each word of %o, in every order of the words', async (misspellings) => {
    for (const words of listOrders(Object.keys(misspellings))) {
      const meant = words.join(' ')
      const meantIds = await searchIds(meant)
      expect(meantIds).not.toEqual([])

      for (const [index, word] of words.entries()) {
        const searchedText = words.with(index, misspellings[word] ?? word).join(' ')
        const result = await search(searchedText)

        // Another correction may find the same course: 'lass' may be 'last' as well as 'lasts'.
        expect(result.correction).toEqual({ from: searchedText, to: expect.any(String) })
        expect(getIds(result)).toEqual(meantIds)
      }
    }
  })

  it('stay where the search says so', async () => {
    expect(await search('pyton', { exact: true })).toMatchObject({ total: 0, correction: null })
  })

  it.each(['qwxyzk', 'zro', '10000', 'html9', 'pytttton'])(
    'do not make something of %s',
    async (q) => {
      expect(await search(q)).toMatchObject({ total: 0, correction: null })
    },
  )

  it('leave what is right as it is', async () => {
    expect((await search('python')).correction).toBeNull()
  })
})

describe('what matched', () => {
  it('is marked in title, description and instructor', async () => {
    const [course] = (await search('pyth')).courses
    expect(course?.marks.title).toEqual([[0, 4]])

    const [french] = (await search('ecole')).courses
    expect(french?.title.slice(...(french.marks.title[0] ?? []))).toBe('école')
    expect((await findByParameters('')).courses[0]?.marks).toEqual({
      title: [],
      summary: [],
      instructorName: [],
    })
  })
})

describe('filters', () => {
  it('leave the catalog whole without one, most students first', async () => {
    const { courses, total } = await findByParameters('')
    expect(total).toBe(12 + addedCourses.length - 2)

    const students = courses.map((course) => course.students)
    expect(students).toEqual(students.toSorted((a, b) => b - a))
  })

  it('count for each option exactly what it leaves', async () => {
    for (const base of [
      '',
      'q=a',
      'category=design',
      'price=free&price=0-50',
      'q=design&level=advanced&language=English',
    ]) {
      const { facets } = await findByParameters(base)
      for (const [group, options] of Object.entries(facets)) {
        for (const { value, count } of options) {
          const query = new URLSearchParams(base)
          query.delete(group)
          query.append(group, value)
          expect({
            base,
            group,
            value,
            count: (await findByParameters(query.toString())).total,
          }).toEqual({
            base,
            group,
            value,
            count,
          })
        }
      }
    }
  })

  it('widen within a group and narrow between groups', async () => {
    const freeCourses = await findByParameters('price=free')
    const cheapCourses = await findByParameters('price=0-50')

    expect((await findByParameters('price=free&price=0-50')).total).toBe(
      freeCourses.total + cheapCourses.total,
    )
    expect(getIds(await findByParameters('price=free&language=Deutsch'))).toEqual(['post-2'])
    expect(getIds(await findByParameters('instructor=Noor+Haddad'))).toEqual([
      'interface-design-fundamentals',
    ])
    expect((await findByParameters('skill=Unit+tests')).total).toBe(2)
    expect((await findByParameters('instructor=Nobody')).total).toBe(0)
  })

  it('offer the same on every page of a list', async () => {
    for (const list of ['q=a', 'sort=newest']) {
      const firstPage = await findByParameters(list)
      const laterPage = await findByParameters(`${list}&after=${firstPage.courses[0]?.id}`)

      expect(getIds(laterPage)).toEqual(getIds(firstPage).slice(1))
      expect(laterPage.facets).toEqual(firstPage.facets)
    }
  })

  it('offer a name with odd spaces or accents once, with its courses', async () => {
    const { facets } = await findByParameters('q=grade+a+zebra')
    expect(facets.instructor).toContainEqual({ value: 'Jean Dupont', count: 1 })
    expect(facets.skill).toEqual([{ value: 'Noël', count: 1 }])

    const chosen = await findByParameters(
      `q=grade+a+zebra&instructor=${encodeURIComponent('Jean\u00a0Dupont')}`,
    )
    expect(getIds(chosen)).toEqual(['letter'])
    expect(chosen.facets.instructor.filter(({ value }) => value.startsWith('Jean'))).toHaveLength(1)
  })

  it('offer names whatever is chosen among them, so that several can be, those with the most courses first', async () => {
    for (const group of ['instructor', 'skill'] as const) {
      const { facets } = await findByParameters('')
      const [, second, third] = facets[group]
      const chosen = await findByParameters(
        String(new URLSearchParams([second, third].map((option) => [group, option?.value ?? '']))),
      )
      expect(chosen.facets[group]).toEqual(facets[group])
      expect(chosen.total).toBeGreaterThan(1)
      const counts = facets[group].map(({ count }) => count)
      expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    }
  })

  it.each(['', 'language=English&'])(
    'count the courses of a chosen name that is not common, after the filters %j',
    async (filters) => {
      const { facets: unchosen } = await findByParameters(filters)
      const rareName = 'ØYSTEIN Ås'
      expect(unchosen.instructor.map(({ value }) => value)).not.toContain(rareName)

      const { facets, total } = await findByParameters(
        `${filters}instructor=${encodeURIComponent(rareName)}`,
      )
      expect(total).toBe(1)
      expect(facets.instructor[0]).toEqual({ value: rareName, count: 1 })
    },
  )

  it('keep a chosen option that leaves nothing', async () => {
    const { facets } = await findByParameters('q=python&skill=No+such+skill')
    expect(facets.skill).toContainEqual({ value: 'No such skill', count: 0 })
  })
})

describe('the order', () => {
  const sorted = async (sort: string) => (await findByParameters(`sort=${sort}`)).courses
  it('is what was asked for', async () => {
    const ordered = async (
      sort: string,
      keyOf: (course: CatalogResult['courses'][number]) => number,
      sign: 1 | -1,
    ) => {
      const keys = (await sorted(sort)).map(keyOf)
      expect(keys).toEqual(keys.toSorted((a, b) => sign * (a - b)))
    }

    await ordered('students', ({ students }) => students, -1)
    await ordered('rated', ({ rating }) => rating, -1)
    const dollars = ({ price }: { price: string }) =>
      price === 'Free' ? 0 : Number(price.slice(1))
    await ordered('price-up', dollars, 1)
    await ordered('price-down', dollars, -1)

    expect(
      getIds({ courses: await sorted('newest') } as CatalogResult)
        .slice(0, 2)
        .sort(),
    ).toEqual(['machine-learning-foundations', 'financial-modelling'].sort())
  })
})

describe('a rating', () => {
  it('narrows lists down and orders them as soon as it is there', async () => {
    expect(getIds(await findByParameters('q=painters&rating=4.5'))).toEqual([])

    await db.transaction(async (transaction) => {
      await transaction.execute(sql`update courses set rating = 4.6 where id = 'hues'`)
      await writeCourseSearch(transaction, ['hues'])
    })
    expect(getIds(await findByParameters('q=painters&rating=4.5'))).toEqual(['hues'])
    expect((await findByParameters('q=painters')).facets.rating[0]).toEqual({
      value: '4.5',
      name: '4.5 and up',
      count: 1,
    })
  })
})

describe('the ranges of prices', () => {
  const readPriceRanges = async () => {
    const { facets } = await findByParameters('category=business')
    return facets.price.map(({ value, count }) => [value, count])
  }

  it('follow the currency, and so do their counts', async () => {
    const inDollars = await readPriceRanges()
    const { rows: cheaper } = await db.execute<{ id: string }>(sql`
      select id from courses
      where category = 'business' and in_catalogue and published
        and price_cents between 1 and 50 * 350 - 1`)
    expect(cheaper.length).toBeGreaterThan(0)

    await db.transaction((transaction) => updatePriceRanges(transaction, 'HUF'))
    const inForint = await readPriceRanges()
    expect(inForint).toContainEqual(['0-50', cheaper.length])
    expect(inForint).not.toEqual(inDollars)

    await db.transaction((transaction) => updatePriceRanges(transaction, 'USD'))
    expect(await readPriceRanges()).toEqual(inDollars)
  })

  it('are the same after indexing and after a change of the currency', async () => {
    const readAll = () =>
      db.execute(sql`select course_id, price_range from course_search order by course_id`)
    const { rows: updated } = await readAll()
    await db.execute(sql`update course_search set category = null`)
    await db.transaction((transaction) => indexContent(transaction, []))

    expect((await readAll()).rows).toEqual(updated)
  })
})

describe('nothing found', () => {
  it('leads to the search without the word and to the nearest categories', async () => {
    const { alternatives } = await search('python qwxyzk')
    expect(alternatives).toEqual({
      without: [{ word: 'qwxyzk', q: 'python', count: 2 }],
      categories: [{ category: 'technology', name: 'Technology', count: 2 }],
    })
  })

  it('promises what a piece across words leads to, and nothing that filters leave out', async () => {
    const promised = async (query: string) => {
      const { alternatives } = await findByParameters(query)
      for (const { q, count } of alternatives?.without ?? []) {
        const parameters = new URLSearchParams(query)
        parameters.set('q', q)
        expect({ q, total: (await findByParameters(String(parameters))).total }).toEqual({
          q,
          total: count,
        })
      }

      return alternatives?.without.map(({ word, q, count }) => `${word}: ${q} ${count}`)
    }

    expect(await promised('q=ython+fro+qwxyzk')).toEqual(['qwxyzk: ython fro 1'])
    expect(await promised('q=ython+fro+qwxyzk&category=design')).toEqual([])
  })

  it('of a search that has results says nothing', async () => {
    expect((await search('python')).alternatives).toBeNull()
  })
})

describe('with a course of one letter, and one of a script without spaces', () => {
  beforeAll(async () => {
    await db.insert(courses).values([
      { ...minimalCourse, id: 'language', title: 'Knuth reads C', students: 1 },
      { ...minimalCourse, id: 'unspaced', title: '机器学习入门', subtitle: '用Python实践深度学习' },
    ])
    await db.transaction((transaction) => indexContent(transaction, []))
  })

  describe('a word of one letter', () => {
    it('finds first what has it as a word, then words with signs and longer ones', async () => {
      const titles = (await search('C')).courses.map(({ title }) => title)

      expect(titles[0]).toBe('Knuth reads C')
      expect(titles.slice(1, 3).toSorted()).toEqual(['Systems in C++', 'Windows with C#'])
    })
  })

  describe('words of a script without spaces', () => {
    it.each(['机器学习', '机器 学习', '学习 机器', '入门 机器', '学习'])(
      'are found in a text: %s',
      async (q) => {
        const { courses, correction } = await search(q)
        expect({ titles: courses.map(({ title }) => title), correction }).toEqual({
          titles: ['机器学习入门'],
          correction: null,
        })
      },
    )

    it('are found beside words of others', async () => {
      expect(await searchIds('python 深度')).toEqual(['unspaced'])
    })

    it('are marked without the rest of the text', async () => {
      expect((await search('学习 机器')).courses[0]?.marks.title).toEqual([[0, 4]])
      expect((await search('机器 入门')).courses[0]?.marks.title).toEqual([
        [0, 2],
        [4, 6],
      ])
    })
  })
})
