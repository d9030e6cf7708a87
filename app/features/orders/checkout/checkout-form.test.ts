import { expect, it } from 'vitest'
import { failure, success } from '~/server/result'
import { checkWaiver } from './checkout-form'

const text = 'I give it up.'
const optionalWaiver = { text, isRequired: false }
const requiredWaiver = { text, isRequired: true }

it('a ticked box stores the text that the learner agreed to', () => {
  expect(checkWaiver(optionalWaiver, text)).toEqual(success(text))
  expect(checkWaiver(requiredWaiver, text)).toEqual(success(text))
})

it('an empty box keeps the right of withdrawal, and is an error only if the box is required', () => {
  expect(checkWaiver(optionalWaiver, null)).toEqual(success(null))
  expect(checkWaiver(requiredWaiver, null)).toEqual(failure('Please tick this box to go on.'))
})

it('a text that has changed since the page was loaded has to be read again', () => {
  expect(checkWaiver(optionalWaiver, 'An earlier text.')).toEqual(
    failure('This text has changed. Please read it again.'),
  )
})

it('a text is ignored if checkout shows no box', () => {
  expect(checkWaiver(null, text)).toEqual(success(null))
})
