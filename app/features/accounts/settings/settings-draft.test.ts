import { afterEach, expect, it, vi } from 'vitest'
import { requestLogout } from '../session/learner-menu'
import { draftOf, readDraft, writeDraft } from './settings-draft'

afterEach(() => vi.unstubAllGlobals())

const saved = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: null,
  location: 'London',
  timezone: null,
}
const typed = (changes: object) => Object.entries({ ...saved, phone: '', timezone: '', ...changes })

it('a draft is what differs from the record, and nothing of what is saved, private or a file', () => {
  expect(draftOf(typed({}), saved)).toEqual({})
  expect(
    draftOf(typed({ firstName: 'Grace', location: '', timezone: 'America/Denver' }), saved),
  ).toEqual({
    firstName: 'Grace',
    location: '',
    timezone: 'America/Denver',
  })

  expect(draftOf(typed({ photo: new Blob(), email: 'x', removePhoto: 'on' }), saved)).toEqual({})
})

it('a draft is its learner’s alone and stays until the learner has logged out', async () => {
  writeDraft('ada', { phone: '+1 555 0100' })
  expect(await readDraft('ada')).toEqual({ phone: '+1 555 0100' })
  expect(await readDraft('eve')).toBeNull()
  vi.stubGlobal('fetch', async () => Response.json({ success: false }))
  await requestLogout()
  expect(await readDraft('ada')).not.toBeNull()
  vi.stubGlobal('fetch', async () => Response.json({ success: true }))
  await requestLogout()
  expect(await readDraft('ada')).toBeNull()
})
