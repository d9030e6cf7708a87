import { expect, it } from 'vitest'
import { formatTimeLimit } from './exam-messages'

it.each([
  [1, '1 minute'],
  [45, '45 minutes'],
])('writes a time limit of %i as %s', (minutes, text) => {
  expect(formatTimeLimit(minutes)).toBe(text)
})
