import { expect, it } from 'vitest'
import { normalizeName, normalizeSearch } from './normalize-search'

it('folds spaces and control characters, NUL among them', () => {
  expect(normalizeSearch('  web \0\t development\n')).toBe('web development')
})

it('keeps at most 100 characters and cuts none in half', () => {
  expect(normalizeSearch('😀'.repeat(300))).toBe('😀'.repeat(100))
  expect(normalizeSearch(`${'a'.repeat(99)} b`)).toBe('a'.repeat(99))
  expect(normalizeSearch('e\u0301')).toBe('é')
})

it('cleans a search, but keeps the quotes and dashes of names that are displayed', () => {
  expect(normalizeSearch('“Ｐｙｔｈｏｎ — don’t.”')).toBe("Python - don't")
  expect(normalizeName('Flannery O’Connor–Smith  Jr.')).toBe('Flannery O’Connor–Smith Jr.')
})
