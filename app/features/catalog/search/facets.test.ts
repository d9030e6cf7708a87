import { expect, it } from 'vitest'
import { levelNames, normalizeSearch } from './facets'

it('offers the levels of the specification', () => {
  expect(Object.keys(levelNames)).toEqual(['all', 'beginner', 'intermediate', 'advanced'])
})

it('folds spaces and control characters, NUL among them', () => {
  expect(normalizeSearch('  web \0\t development\n')).toBe('web development')
})

it('keeps at most 100 characters and cuts none in half', () => {
  expect(normalizeSearch('😀'.repeat(300))).toBe('😀'.repeat(100))
  expect(normalizeSearch(`${'a'.repeat(99)} b`)).toBe('a'.repeat(99))
  expect(normalizeSearch('e\u0301')).toBe('é')
})
