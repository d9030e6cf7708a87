import { expect, it } from 'vitest'
import { demoLearnerSchema } from './demo-learner-file.server'

it.each([
  ['America/New_York', true],
  ['Asia/Calcutta', true],
  // Intl.supportedValuesOf() leaves out the current names of some zones, and UTC.
  ['Asia/Kolkata', true],
  ['Europe/Kyiv', true],
  ['UTC', true],
  ['+05:30', false],
  ['Mars/Olympus', false],
  ['', false],
])('the demo learner may live in the time zone %j: %s', (timezone, isAccepted) => {
  const field = demoLearnerSchema.shape.profile.shape.timezone
  expect(field.safeParse(timezone).success).toBe(isAccepted)
})
