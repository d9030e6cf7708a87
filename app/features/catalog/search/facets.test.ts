import { expect, it } from 'vitest'
import { lengthRanges, levelNames } from './facets'

it('offers the levels of the specification', () => {
  expect(Object.keys(levelNames)).toEqual(['all', 'beginner', 'intermediate', 'advanced'])
})

it('offers the lengths from short to long', () => {
  expect(lengthRanges).toEqual(['0-5', '5-20', '20-40', '40'])
})
