import { expect, it } from 'vitest'
import { formatDownloads, formatSize } from './format-count'

it.each([
  [1, '1 byte'],
  [640, '640 bytes'],
  [1000, '1 KB'],
  [12_345, '12 KB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [1_540_000, '1.5 MB'],
  [20_000_000, '20 MB'],
])('says %i bytes as %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

it('counts downloads with their size together', () => {
  expect(formatDownloads({ count: 1, bytes: 900 })).toBe('1 download, 900 bytes')
  expect(formatDownloads({ count: 3, bytes: 1_200_000 })).toBe('3 downloads, 1.2 MB')
})
