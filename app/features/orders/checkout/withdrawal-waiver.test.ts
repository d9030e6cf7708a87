import { expect, it } from 'vitest'
import { checkWaiver, waiverChanged, waiverMissing } from './withdrawal-waiver'

const optional = { text: 'I give it up.', isRequired: false }
const required = { ...optional, isRequired: true }

it('the text that was ticked is the one that is stored', () => {
  expect(checkWaiver(optional, 'I give it up.')).toEqual({ text: 'I give it up.' })
  expect(checkWaiver(required, 'I give it up.')).toEqual({ text: 'I give it up.' })
})

it('an empty box gives nothing up, and stops a purchase where it is required', () => {
  expect(checkWaiver(optional, null)).toEqual({ text: null })
  expect(checkWaiver(required, null)).toEqual({ error: waiverMissing })
})

it('a text that the operator has changed meanwhile is shown again; one that nobody asks for is none', () => {
  expect(checkWaiver(optional, 'I gave it up.')).toEqual({ error: waiverChanged })
  expect(checkWaiver(null, 'I give it up.')).toEqual({ text: null })
})
