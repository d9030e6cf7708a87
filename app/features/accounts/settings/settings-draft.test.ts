import { expect, it } from 'vitest'
import { draftOf } from './settings-draft'

const saved = { firstName: 'Ada', lastName: 'Lovelace', phone: null, location: 'London', timezone: null }
const typed = (changes: object) => Object.entries({ ...saved, phone: '', timezone: '', ...changes })

it('a draft is what differs from the record, and nothing of what is saved, private or a file', () => {
  expect(draftOf(typed({}), saved)).toEqual({})
  expect(draftOf(typed({ firstName: 'Grace', location: '', timezone: 'America/Denver' }), saved)).toEqual({
    firstName: 'Grace',
    location: '',
    timezone: 'America/Denver',
  })
  expect(draftOf(typed({ photo: new Blob(), email: 'x', removePhoto: 'on' }), saved)).toEqual({})
})
