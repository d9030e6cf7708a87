import * as fakeIndexedDb from 'fake-indexeddb'
import { beforeEach, expect, it, vi } from 'vitest'
import { browserEntryStore } from './entry-store'

beforeEach(() => {
  for (const [name, part] of Object.entries(fakeIndexedDb)) {
    vi.stubGlobal(name, part)
  }

  return () => vi.unstubAllGlobals()
})

const entry = { key: 'a', kind: 'letter', uid: 'ada', body: 'text', putAt: 1, version: 1 }

it('keeps an entry for the next page, until it is removed', async () => {
  await browserEntryStore().put(entry)
  const next = browserEntryStore()
  expect(await next.list()).toEqual([entry])
  await next.remove({ key: 'a', version: 2 })
  expect(await next.list()).toHaveLength(1)
  await next.remove(entry)
  expect(await next.list()).toEqual([])
})

it('refuses an entry that no learner could have made by hand', async () => {
  const store = browserEntryStore()
  await expect(store.put({ ...entry, body: 'x'.repeat(300_000) })).rejects.toThrow('too long')
  expect(await store.list()).toEqual([])
})
