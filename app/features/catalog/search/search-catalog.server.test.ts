import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { categories, courses } from '~/server/database/schema'
import { createTestDatabase } from '../../../../tests/support/test-database'
import type { CatalogQuery, CatalogResult } from './catalog-query'
import { parseCatalogQuery } from './catalog-query-schema'
import { findCatalog } from './search-catalog.server'
import { indexContent, writeCourseSearch } from './search-index.server'

let db: Database

/** A course that shares nothing with others, except the fields that a test sets. */
const bare = {
  subtitle: 'Xx',
  summary: 'Xx',
  description: 'Xx',
  category: 'business',
  level: 'beginner',
  language: 'English',
  inCatalogue: true,
  published: true,
  priceCents: 5000,
  originalPriceCents: 5000,
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

const added: (typeof courses.$inferInsert)[] = [
  { ...bare, id: 'ecole', title: 'Écrire à l’école', instructorName: 'ØYSTEIN Ås' },
  { ...bare, id: 'odd', title: '100% snake_case \\o/ 😀' },
  { ...bare, id: 'cpp', title: 'Systems in C++', summary: 'Memory and time' },
  { ...bare, id: 'csharp', title: 'Windows with C#', summary: 'Built on .NET' },
  {
    ...bare,
    id: 'post',
    title: 'E-mail that people answer',
    category: 'marketing',
    language: 'Deutsch',
  },
  {
    ...bare,
    id: 'post-2',
    title: 'Writing an email',
    summary: 'One letter a day',
    language: 'Deutsch',
    priceCents: 0,
  },
  { ...bare, id: 'hues', title: 'Colour for painters', skills: ['Unit tests'] },
  { ...bare, id: 'js', title: 'JavaScript by hand' },
  { ...bare, id: 'hidden', title: 'Unlisted draftsman', inCatalogue: false },
  { ...bare, id: 'draft', title: 'Unfinished draftsman', published: false },
  { ...bare, id: 'hebrew', title: 'עברית למתחילים' },
  {
    ...bare,
    id: 'letter',
    title: 'Grade a zebra',
    instructorName: 'Jean\u00a0Dupont',
    skills: ['Noe\u0308l'],
  },
  { ...bare, id: 'no-letter', title: 'Grade all zebras' },
  { ...bare, id: 'bread', title: 'Sourdough', category: 'baking' },
]

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
  await db.insert(courses).values(added)
  await db.execute(sql`
    insert into search_synonyms (position, phrases) values (100, '{email,e-mail}'), (101, '{colour,color}'), (102, '{js,javascript}')
    on conflict do nothing`)
  await db
    .insert(categories)
    .values({ position: 100, id: 'baking', name: 'Baking & Pastry', icon: 'cake' })
  await db.transaction((transaction) => indexContent(transaction, []))
})

const ask = (query: string) => findCatalog(db, parseCatalogQuery(new URLSearchParams(query)))
const search = (q: string, more: Partial<CatalogQuery> = {}) =>
  findCatalog(db, { ...parseCatalogQuery(new URLSearchParams({ q })), ...more })
const ids = ({ courses }: CatalogResult) => courses.map(({ id }) => id)
const idsOf = async (q: string, more?: Partial<CatalogQuery>) => ids(await search(q, more))

describe('a category of the school', () => {
  it('is a filter with its own name and count, at the place of its file', async () => {
    const { courses: found, facets } = await ask('category=baking')
    expect(found).toMatchObject([{ id: 'bread', categoryName: 'Baking & Pastry' }])
    expect(facets.category.at(-1)).toEqual({ value: 'baking', name: 'Baking & Pastry', count: 1 })
    expect(facets.category.slice(0, 2)).toMatchObject([
      { value: 'all', name: 'All Categories' },
      { value: 'technology', name: 'Technology' },
    ])
  })

  it('that is none counts as not chosen', async () => {
    const { category, total } = await ask('category=alchemy')
    expect({ category, total }).toEqual({ category: 'all', total: (await ask('')).total })
  })
})

describe('the specified search', () => {
  it('finds a piece of title, description or instructor, whatever the case', async () => {
    expect(await idsOf('PYTHON FROM')).toEqual(['python-from-zero'])
    expect(await idsOf('ython fro')).toEqual(['python-from-zero'])
    expect(await idsOf('hash tables')).toEqual(['data-structures-and-algorithms'])
    expect(await idsOf('ash tabl')).toEqual(['data-structures-and-algorithms'])
    expect(await idsOf('noor hADDad')).toEqual(['interface-design-fundamentals'])
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
      const { total } = await search(piece)
      const found = await idsOf(piece)
      expect({ piece, found }).toEqual({
        piece,
        found: expect.arrayContaining(expected.map(({ id }) => id).slice(0, 0)),
      })
      expect(total).toBeGreaterThanOrEqual(expected.length)
      if (total <= 24) {
        for (const { id } of expected) {
          expect(found).toContain(id)
        }
      }
    }
  })

  it('combines with category and level', async () => {
    expect(ids(await ask('q=e&category=design&level=advanced'))).toEqual([
      'design-systems-that-last',
    ])
    expect(ids(await ask('q=python&category=design'))).toEqual([])
  })

  it.each(['%', '_', '\\', '\\o/', '100%', 'snake_', '😀'])('takes %s literally', async (q) => {
    expect(await idsOf(q)).toEqual(['odd'])
  })

  it.each(['%%', '"; drop table courses; --', '$1', '\\%', '<script>', '\u202e', 'zzz', '((', '*'])(
    'finds nothing by %j',
    async (q) => {
      const result = await search(q)
      expect(result).toMatchObject({
        courses: [],
        total: 0,
        corrected: null,
        matches: { exact: 0, mention: 0 },
      })

      expect(result.alternatives?.categories.length).toBeGreaterThan(0)
    },
  )

  it('folds case and accents', async () => {
    for (const q of ['éCRIRE À', 'ecrire a', 'oystein as', 'ØYSTEIN']) {
      expect(await idsOf(q)).toEqual(['ecole'])
    }

    expect(await idsOf('עברית')).toEqual(['hebrew'])
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
    const found = await idsOf(q)
    for (const id of expected) {
      expect(found).toContain(id)
    }

    expect(found).toHaveLength((await search(q)).total)
  })

  it('keeps drafts and courses outside the catalog out', async () => {
    expect(await idsOf('draftsman')).toEqual([])
  })
})

describe('words', () => {
  it('are found in other forms, which are marked', async () => {
    const [course] = (await search('systems designing')).courses
    expect(course?.id).toBe('design-systems-that-last')
    const marked = course?.marks.title.map(([from, to]) => course.title.slice(from, to))
    expect(marked).toEqual(['Design', 'Systems'])
    expect(await idsOf('writes')).toContain('post-2')
  })

  it('are found in any order, the last also by its beginning', async () => {
    expect(await idsOf('zero python')).toEqual(['python-from-zero'])
    expect(await idsOf('zero pyth')).toEqual(['python-from-zero'])
    expect(await idsOf('okafor zero')).toEqual(['python-from-zero'])
    expect(await idsOf('zer python', { exact: true })).toEqual([])
  })

  it('of one letter are no beginnings, but for the last', async () => {
    expect(await idsOf('a grade')).toEqual(['letter'])
    expect(await idsOf('a, grade.')).toEqual(['letter'])
    expect(new Set(await idsOf('grade a'))).toEqual(new Set(['letter', 'no-letter']))
  })

  it('are found with signs between them that mean nothing', async () => {
    for (const q of ['python+zero', '~python zero', 'python😀zero', 'zero>python']) {
      expect(await idsOf(q)).toEqual(['python-from-zero'])
    }
  })

  it('may have signs', async () => {
    expect(await idsOf('C++')).toEqual(['cpp'])
    expect(await idsOf('c#')).toEqual(['csharp'])
    expect(await idsOf('windows .NET')).toEqual(['csharp'])
    expect(await idsOf('time C++')).toEqual(['cpp'])
  })

  it('with the same meaning are the same', async () => {
    for (const q of ['email', 'E-Mail']) {
      expect(new Set(await idsOf(q))).toEqual(
        new Set(['digital-marketing-essentials', 'post', 'post-2']),
      )
    }

    expect(await idsOf('color painters')).toEqual(['hues'])
    expect(await idsOf('js hand')).toEqual(['js'])
    expect(await idsOf('js')).toContain('js')
  })

  it('in the title come first', async () => {
    const [first] = await idsOf('photography')
    expect(first).toBe('photography-light-and-composition')
  })

  it('find the sample course of /OneCourse, which the catalog does not list', async () => {
    expect(await idsOf('bootcamp')).toEqual(['complete-web-development'])
    expect(ids(await ask('category=technology'))).not.toContain('complete-web-development')
  })
})

describe('what only skills, lesson titles or the subtitle say', () => {
  it('is shown at once when nothing else matches', async () => {
    const result = await search('unit tests')
    expect(ids(result)).toContain('python-from-zero')
    expect(result).toMatchObject({ showsMentions: true, matches: { exact: 0 } })
    expect(result.total).toBe(result.matches.mention)
  })

  it('is shown on request when something does', async () => {
    const result = await search('functions')
    const more = await search('functions', { mentions: true })
    expect(result.showsMentions).toBe(false)
    expect(result.matches.mention).toBeGreaterThan(0)
    expect(result.total).toBe(result.matches.exact)
    expect(more.total).toBe(result.matches.exact + result.matches.mention)
    expect(ids(more).slice(0, result.total)).toEqual(ids(result))
  })

  it('does not follow by itself because a filter leaves nothing else', async () => {
    const result = await ask('q=functions&category=photography')
    expect(result).toMatchObject({ total: 0, showsMentions: false })
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
    ['python form zero', 'python from zero'],
  ])('are corrected: %s is %s', async (typed, meant) => {
    const result = await search(typed)
    expect(result.corrected).toEqual({ from: typed, to: meant })
    expect(ids(result)).toEqual(await idsOf(meant))
    expect(result.total).toBeGreaterThan(0)
  })

  it('stay where the search says so', async () => {
    expect(await search('pyton', { exact: true })).toMatchObject({ total: 0, corrected: null })
  })

  it.each(['qwxyzk', 'zro', '10000', 'html9', 'pytttton'])(
    'do not make something of %s',
    async (q) => {
      expect(await search(q)).toMatchObject({ total: 0, corrected: null })
    },
  )

  it('leave what is right as it is', async () => {
    expect((await search('python')).corrected).toBeNull()
  })
})

describe('what matched', () => {
  it('is marked in title, description and instructor', async () => {
    const [course] = (await search('pyth')).courses
    expect(course?.marks.title).toEqual([[0, 4]])
    const [french] = (await search('ecole')).courses
    expect(french?.title.slice(...(french.marks.title[0] ?? []))).toBe('école')
    expect((await ask('')).courses[0]?.marks).toEqual({
      title: [],
      summary: [],
      instructorName: [],
    })
  })
})

describe('filters', () => {
  it('leave the catalog whole without one, most students first', async () => {
    const { courses, total } = await ask('')
    expect(total).toBe(12 + added.length - 2)
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
      const { facets } = await ask(base)
      for (const [group, options] of Object.entries(facets)) {
        for (const { value, count } of options) {
          const query = new URLSearchParams(base)
          query.delete(group)
          query.append(group, value)
          expect({ base, group, value, count: (await ask(query.toString())).total }).toEqual({
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
    const [free, cheap] = [await ask('price=free'), await ask('price=0-50')]
    expect((await ask('price=free&price=0-50')).total).toBe(free.total + cheap.total)
    expect(ids(await ask('price=free&language=Deutsch'))).toEqual(['post-2'])
    expect(ids(await ask('instructor=Noor+Haddad'))).toEqual(['interface-design-fundamentals'])
    expect((await ask('skill=Unit+tests')).total).toBe(2)
    expect((await ask('instructor=Nobody')).total).toBe(0)
  })

  it('offer the same on every page of a list', async () => {
    for (const list of ['q=a', 'sort=newest']) {
      const first = await ask(list)
      const later = await ask(`${list}&after=${first.courses[0]?.id}`)
      expect(ids(later)).toEqual(ids(first).slice(1))
      expect(later.facets).toEqual(first.facets)
    }
  })

  it('offer a name with odd spaces or accents once, with its courses', async () => {
    const { facets } = await ask('q=grade+a+zebra')
    expect(facets.instructor).toContainEqual({ value: 'Jean Dupont', count: 1 })
    expect(facets.skill).toEqual([{ value: 'Noël', count: 1 }])
    const chosen = await ask(`q=grade+a+zebra&instructor=${encodeURIComponent('Jean\u00a0Dupont')}`)
    expect(ids(chosen)).toEqual(['letter'])
    expect(chosen.facets.instructor.filter(({ value }) => value.startsWith('Jean'))).toHaveLength(1)
  })

  it('offer names whatever is chosen among them, so that several can be, those with the most courses first', async () => {
    for (const group of ['instructor', 'skill'] as const) {
      const { facets } = await ask('')
      const [, second, third] = facets[group]
      const chosen = await ask(
        String(new URLSearchParams([second, third].map((option) => [group, option?.value ?? '']))),
      )
      expect(chosen.facets[group]).toEqual(facets[group])
      expect(chosen.total).toBeGreaterThan(1)
      const counts = facets[group].map(({ count }) => count)
      expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    }
  })

  it('keep a chosen option that leaves nothing', async () => {
    const { facets } = await ask('q=python&skill=No+such+skill')
    expect(facets.skill).toContainEqual({ value: 'No such skill', count: 0 })
  })
})

describe('the order', () => {
  const sorted = async (sort: string) => (await ask(`sort=${sort}`)).courses
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
      ids({ courses: await sorted('newest') } as CatalogResult)
        .slice(0, 2)
        .sort(),
    ).toEqual(['machine-learning-foundations', 'financial-modelling'].sort())
  })
})

describe('a rating', () => {
  it('narrows lists down and orders them as soon as it is there', async () => {
    expect(ids(await ask('q=painters&rating=4.5'))).toEqual([])
    await db.transaction(async (transaction) => {
      await transaction.execute(sql`update courses set rating = 4.6 where id = 'hues'`)
      await writeCourseSearch(transaction, ['hues'])
    })
    expect(ids(await ask('q=painters&rating=4.5'))).toEqual(['hues'])
    expect((await ask('q=painters')).facets.rating[0]).toEqual({
      value: '4.5',
      name: '4.5 and up',
      count: 1,
    })
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
      const { alternatives } = await ask(query)
      for (const { q, count } of alternatives?.without ?? []) {
        const parameters = new URLSearchParams(query)
        parameters.set('q', q)
        expect({ q, total: (await ask(String(parameters))).total }).toEqual({ q, total: count })
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
      { ...bare, id: 'language', title: 'Knuth reads C', students: 1 },
      { ...bare, id: 'unspaced', title: '机器学习入门', subtitle: '用Python实践深度学习' },
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
        const { courses, corrected } = await search(q)
        expect({ titles: courses.map(({ title }) => title), corrected }).toEqual({
          titles: ['机器学习入门'],
          corrected: null,
        })
      },
    )

    it('are found beside words of others', async () => {
      expect(await idsOf('python 深度')).toEqual(['unspaced'])
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
