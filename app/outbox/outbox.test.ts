import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MemoryEntryStore } from '../../tests/support/memory-entry-store'
import { type Kind, Outbox, type Result } from './outbox'

/** A server whose answers the test decides. */
class Server {
  readonly received: string[] = []
  answer: (body: string) => Result | Promise<Result> = () => ({ outcome: 'delivered' })
  readonly kind: Kind<string> = {
    name: 'letter',
    send: async ({ body }) => {
      this.received.push(body)
      return this.answer(body)
    },
  }
}

let store: MemoryEntryStore
let server: Server
let tab: Outbox
const letter = (body: string, { key = body, uid = 'ada' as string | null } = {}) => ({
  key,
  uid,
  body,
})

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20) })
  store = new MemoryEntryStore()
  server = new Server()
  tab = new Outbox(store)
})
afterEach(() => {
  vi.useRealTimers()
})

it('entries are sent in the order in which they were put, and leave once the server has them', async () => {
  for (const body of ['b', 'a', 'c']) {
    await tab.put(server.kind, letter(body)).stored
    vi.advanceTimersByTime(1)
  }

  expect(await tab.send(server.kind, 'ada')).toBe(true)
  expect(server.received).toEqual(['b', 'a', 'c'])
  expect(store.entries.size).toBe(0)
  expect(await tab.send(server.kind, 'ada')).toBe(false)
})

it('an entry survives its page: the next one sends it', async () => {
  server.answer = () => ({ outcome: 'unreachable' })
  await tab.put(server.kind, letter('a')).stored
  await tab.send(server.kind, 'ada')
  server.answer = () => ({ outcome: 'delivered' })
  const next = new Outbox(store)
  await next.send(server.kind, 'ada')
  expect(server.received).toEqual(['a', 'a'])
  expect(store.entries.size).toBe(0)
})

it('removing all leaves what is put meanwhile', async () => {
  await tab.put(server.kind, letter('first', { key: 'draft' })).stored
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const list = store.list.bind(store)
  vi.spyOn(store, 'list').mockImplementationOnce(() => opened.then(list))
  const removed = tab.removeAll(({ key }) => key === 'draft')
  vi.advanceTimersByTime(1)
  await tab.put(server.kind, letter('second', { key: 'draft' })).stored
  open()
  await removed
  expect((await tab.list(server.kind)).map(({ body }) => body)).toEqual(['second'])
})

it('nothing is sent for another learner; a visitor’s goes to the first account where its kind allows that', async () => {
  await tab.put(server.kind, letter('of grace', { uid: 'grace' })).stored
  await tab.put(server.kind, letter('of a visitor', { uid: null })).stored
  await tab.send(server.kind, 'ada')
  expect(server.received).toEqual([])
  await tab.send({ ...server.kind, takesVisitors: true }, 'ada')
  expect(server.received).toEqual(['of a visitor'])
  expect([...store.entries.keys()]).toEqual(['of grace'])
})

it('a later entry replaces an earlier one with its key, also while that one is on its way', async () => {
  let arrive = () => {}
  server.answer = () =>
    new Promise((resolve) => {
      arrive = () => resolve({ outcome: 'delivered' })
    })
  await tab.put(server.kind, letter('first', { key: 'k' })).stored
  const sending = tab.send(server.kind, 'ada')
  await vi.advanceTimersByTimeAsync(0)
  await tab.put(server.kind, letter('second', { key: 'k' })).stored
  server.answer = () => ({ outcome: 'delivered' })
  arrive()
  await sending
  expect(server.received).toEqual(['first', 'second'])
  expect(store.entries.size).toBe(0)
})

it.each([
  ['delivered', 0],
  ['refused', 0],
  ['held-back', 1],
  ['signed-out', 1],
  ['unreachable', 1],
] as const)('after %s, %s entry is left', async (outcome, left) => {
  server.answer = () => ({ outcome })
  await tab.put(server.kind, letter('a')).stored
  await tab.send(server.kind, 'ada')
  expect(store.entries.size).toBe(left)
})

it('what is held back stops nothing else, and goes after 30 days in vain', async () => {
  server.answer = (body) => ({ outcome: body === 'waits' ? 'held-back' : 'delivered' })
  await tab.put(server.kind, letter('waits')).stored
  await tab.put(server.kind, letter('goes')).stored
  await tab.send(server.kind, 'ada')
  expect([...store.entries.keys()]).toEqual(['waits'])
  vi.setSystemTime(Date.now() + 30 * 86_400_000 + 1)
  await tab.send(server.kind, 'ada')
  expect(store.entries.size).toBe(0)
})

it('an entry whose body the answer replaces is sent again at once', async () => {
  server.answer = (body) =>
    body === 'old' ? { outcome: 'replaced', body: 'new' } : { outcome: 'delivered' }
  await tab.put(server.kind, letter('old')).stored
  await tab.send(server.kind, 'ada')
  expect(server.received).toEqual(['old', 'new'])
  expect(store.entries.size).toBe(0)
})

it('an unreachable server is tried again with growing pauses until it answers', async () => {
  server.answer = () => ({ outcome: 'unreachable' })
  await tab.put(server.kind, letter('a')).stored
  await tab.send(server.kind, 'ada')
  await vi.advanceTimersByTimeAsync(999)
  expect(server.received).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1 + 2_000 + 5_000 + 10_000)
  expect(server.received).toHaveLength(5)
  server.answer = () => ({ outcome: 'delivered' })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(store.entries.size).toBe(0)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.received).toHaveLength(6)
})

it('a signed-out learner is waited for only by a page that shows the entry', async () => {
  server.answer = () => ({ outcome: 'signed-out' })
  await tab.put(server.kind, letter('a')).stored
  await tab.send(server.kind, 'ada')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.received).toHaveLength(1)
  tab.listen(server.kind, () => true)
  await tab.send(server.kind, 'ada')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.received).toHaveLength(3)
})

it('without storage, entries wait in the page', async () => {
  store.isAvailable = false
  server.answer = () => ({ outcome: 'unreachable' })
  expect(await tab.put(server.kind, letter('a')).stored).toBe(false)
  await tab.send(server.kind, 'ada')
  server.answer = () => ({ outcome: 'delivered' })
  expect(await tab.send(server.kind, 'ada')).toBe(true)
  expect(await tab.send(server.kind, 'ada')).toBe(false)
})

it('several sendings at once send each entry once', async () => {
  await tab.put(server.kind, letter('a')).stored
  await Promise.all([1, 2, 3].map(() => tab.send(server.kind, 'ada')))
  expect(server.received).toEqual(['a'])
})

describe('what became of an entry', () => {
  it('is told to the page that waits for it, otherwise as a delivery that others may show', async () => {
    const told: string[] = []
    tab.listenToOtherDeliveries(({ key }) => told.push(`other ${key}`))
    const end = tab.listen(server.kind, ({ key }, { outcome }) => {
      told.push(`${outcome} ${key}`)
      return true
    })
    await tab.put(server.kind, letter('a')).stored
    await tab.send(server.kind, 'ada')
    end()
    await tab.put(server.kind, letter('b')).stored
    await tab.send(server.kind, 'ada')
    expect(told).toEqual(['delivered a', 'other b'])
  })

  it('is no news for other pages when it was the last that a page did', async () => {
    const told: string[] = []
    tab.listenToOtherDeliveries(({ key }) => told.push(key))
    const { entry, stored } = tab.put(server.kind, letter('a'))
    await tab.sendLeaving(server.kind, entry)
    await stored
    expect([server.received, told, store.entries.size]).toEqual([['a'], [], 0])
  })

  it('is told in other tabs, too', async () => {
    vi.useRealTimers()
    const [one, two] = [new BroadcastChannel('outbox-test'), new BroadcastChannel('outbox-test')]
    const other = new Outbox(store, two)
    const told = new Promise((resolve) => {
      other.listen(server.kind, ({ key }, { outcome }) => {
        resolve([key, outcome])
        return true
      })
    })
    const sender = new Outbox(store, one)
    await sender.put(server.kind, letter('a')).stored
    await sender.send(server.kind, 'ada')
    expect(await told).toEqual(['a', 'delivered'])
    one.close()
    two.close()
  })
})

it('what belongs to a learner who is gone is removed, and nothing else', async () => {
  await tab.put(server.kind, letter('a')).stored
  await tab.put(server.kind, letter('b', { uid: 'grace' })).stored
  await tab.removeAll(({ uid }) => uid === 'ada')
  expect([...store.entries.keys()]).toEqual(['b'])
})
