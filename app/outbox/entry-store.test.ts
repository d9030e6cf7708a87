import * as fakeIndexedDb from 'fake-indexeddb'
import { openDB } from 'idb'
import { beforeEach, expect, it, vi } from 'vitest'
import { browserEntryStore } from './entry-store'

/** A browser's `localStorage`, whose keys are its own properties. */
function fillLocalStorage(items: Record<string, string>): Record<string, string> {
  const storage = Object.create(
    {
      getItem: (key: string) => storage[key] ?? null,
      removeItem: (key: string) => delete storage[key],
    },
    Object.getOwnPropertyDescriptors({}),
  )

  Object.assign(storage, items)
  vi.stubGlobal('localStorage', storage)

  return storage
}

beforeEach(() => {
  for (const [name, part] of Object.entries(fakeIndexedDb)) {
    vi.stubGlobal(name, part)
  }

  fillLocalStorage({})
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

it('takes over what version 0.1.0 left unsent in each of its stores', async () => {
  const former = await openDB('learnify-reports', 1, {
    upgrade: (database) => void database.createObjectStore('reports', { keyPath: 'key' }),
  })
  const report = { uid: 'ada', openedAt: 7, watched: [[0, 5]] }
  const fields = [['turn', 't']]
  await former.put('reports', {
    key: 'ada c l 7',
    uid: 'ada',
    address: '/Learn/c/l/progress',
    report,
  })

  await former.put('reports', {
    key: 'practice/ada/c/q/t',
    uid: 'ada',
    address: '/PracticeAnswers',
    report: { fields },
  })
  const storage = fillLocalStorage({
    theme: 'dark',
    'reports-kept': '1',
    'learnify-exam-place': 'b7-1 4',
    'learnify-exam-b7-1-12': JSON.stringify({ value: [2, 0], revision: 3, givenAt: 99 }),
    'note-draft ada c/l': JSON.stringify({ id: 'n', text: 'A name' }),
    'settings-draft': JSON.stringify({ uid: 'ada', draft: { phone: '1' } }),
  })
  const store = browserEntryStore()
  const taken = (await store.list()).map(({ putAt: _, version: __, ...rest }) => rest)
  expect(taken).toEqual([
    {
      key: 'ada c l 7',
      uid: 'ada',
      kind: 'progress',
      body: { address: '/Learn/c/l/progress', report },
    },
    {
      key: 'exam b7-1 12',
      uid: null,
      kind: 'exam-answer',
      body: { attemptId: 'b7-1', question: 12, value: [2, 0], revision: 3, givenAt: 99 },
    },
    { key: 'note ada c/l', uid: 'ada', kind: 'note-draft', body: { id: 'n', text: 'A name' } },
    { key: 'practice/ada/c/q/t', uid: 'ada', kind: 'practice-answer', body: { fields } },
    { key: 'settings', uid: 'ada', kind: 'settings-draft', body: { phone: '1' } },
  ])

  expect(Object.keys(storage).sort()).toEqual(['learnify-exam-place', 'theme'])
  expect(await former.getAll('reports')).toEqual([])
  former.close()
})
