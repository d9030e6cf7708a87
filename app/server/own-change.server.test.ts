import { expect, it } from 'vitest'
import { ownChangeOf } from './own-change.server'

it.each([
  ['learnify-change=12', 12],
  ['a=b; learnify-change=7; c=d', 7],
  ['xlearnify-change=7', 0],
  ['learnify-change=', 0],
  ['learnify-change=-3', 0],
  ['learnify-change=1e9', 0],
  ['learnify-change=99999999999999999999', 0],
  ['session=abc', 0],
  [undefined, 0],
])('of the cookie %s, the version is %i', (cookie, version) => {
  expect(ownChangeOf(cookie)).toBe(version)
})
