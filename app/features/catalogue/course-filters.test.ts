import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addressOfFilters, categoryNames, foldSearch, levelNames, parseCourseFilters } from './course-filters'

const parse = (query: string) => parseCourseFilters(new URLSearchParams(query))

it('offers the categories and levels of the specification', () => {
  expect(Object.keys(categoryNames)).toEqual(['all', 'technology', 'design', 'business', 'marketing', 'photography'])
  expect(Object.keys(levelNames)).toEqual(['all', 'beginner', 'intermediate', 'advanced'])
})

it('reads search, category and level from the address', () => {
  expect(parse('q=web&category=design&level=advanced')).toEqual({
    search: 'web',
    category: 'design',
    level: 'advanced',
  })
})

it('narrows nothing down without an address of its own', () => {
  expect(parse('')).toEqual({ search: '', category: 'all', level: 'all' })
})

it.each(['category=music&level=expert', 'category=Design', 'category=__proto__&level=toString', 'category=&level='])(
  'takes unknown values (%s) as all',
  (query) => {
    expect(parse(query)).toEqual({ search: '', category: 'all', level: 'all' })
  },
)

it('folds spaces and control characters, NUL among them', () => {
  expect(foldSearch('  web \0\t development\n')).toBe('web development')
})

it('keeps at most 100 characters and cuts none in half', () => {
  expect(foldSearch('😀'.repeat(300))).toBe('😀'.repeat(100))
  expect(foldSearch(`${'a'.repeat(99)} b`)).toBe('a'.repeat(99))
  expect(foldSearch('e\u0301')).toBe('é')
})

it('leaves out of the address what is not narrowed down', () => {
  expect(addressOfFilters({ search: '', category: 'all', level: 'all' })).toBe('/AllCourses')
  expect(addressOfFilters({ search: 'a&b', category: 'all', level: 'beginner' })).toBe(
    '/AllCourses?q=a%26b&level=beginner',
  )
})

it('reads every address that it writes', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('all', 'design', 'photography'),
      fc.constantFrom('all', 'advanced'),
      (typed, category, level) => {
        const filters = { search: foldSearch(typed), category, level } as const
        expect(parse(addressOfFilters(filters).split('?')[1] ?? '')).toEqual(filters)
      },
    ),
  )
})
