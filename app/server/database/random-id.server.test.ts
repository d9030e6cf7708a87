import { expect, it } from 'vitest'
import { randomId } from './random-id.server'

it('a command never reads a random ID as an option', () => {
  const ids = Array.from({ length: 2000 }, randomId)

  expect(ids.filter((id) => !/^\w[\w-]{21}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})
