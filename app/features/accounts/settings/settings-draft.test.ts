import { afterEach, expect, it, vi } from 'vitest'
import { requestLogout } from '../session/learner-menu'
import { getChangedFields, readDraft, writeDraft } from './settings-draft'

afterEach(() => vi.unstubAllGlobals())

const savedFields = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: null,
  location: 'London',
  timezone: null,
}
const createForm = (changes: object) =>
  Object.entries({ ...savedFields, phone: '', timezone: '', ...changes })

it('a draft contains only changed fields, and neither the photo nor other fields of the form', () => {
  expect(getChangedFields(createForm({}), savedFields)).toEqual({})
  expect(
    getChangedFields(
      createForm({ firstName: 'Grace', location: '', timezone: 'America/Denver' }),
      savedFields,
    ),
  ).toEqual({
    firstName: 'Grace',
    location: '',
    timezone: 'America/Denver',
  })

  expect(
    getChangedFields(createForm({ photo: new Blob(), email: 'x', removePhoto: 'on' }), savedFields),
  ).toEqual({})
})

it('a draft belongs to one learner and stays until a logout has succeeded', async () => {
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
