import * as fakeIndexedDb from 'fake-indexeddb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { browserEntryStore } from './entry-store'

beforeEach(() => {
  for (const [globalName, value] of Object.entries(fakeIndexedDb)) {
    vi.stubGlobal(globalName, value)
  }
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const entry = { key: 'a', kind: 'text', uid: 'ada', body: 'text', putAt: 1, version: 1 }

it('an entry is kept for the next page until it is removed', async () => {
  await browserEntryStore().put(entry)

  const storeOfNextPage = browserEntryStore()
  expect(await storeOfNextPage.list()).toEqual([entry])

  await storeOfNextPage.remove({ key: 'a', version: 2 })
  expect(await storeOfNextPage.list()).toHaveLength(1)

  await storeOfNextPage.remove(entry)
  expect(await storeOfNextPage.list()).toEqual([])
})

it('an entry that is longer than any input of a learner is rejected', async () => {
  const store = browserEntryStore()

  const putting = store.put({ ...entry, body: 'x'.repeat(300_000) })

  await expect(putting).rejects.toThrow('too long')
  expect(await store.list()).toEqual([])
})
