import { expect, it } from 'vitest'
import { levelNames } from './facets'

it('offers the levels of the specification', () => {
  expect(Object.keys(levelNames)).toEqual(['all', 'beginner', 'intermediate', 'advanced'])
})
