import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MemoryEntryStore } from '../../tests/support/memory-entry-store'
import type { EntryKind, SendResult } from './entry-kind'
import { Outbox } from './outbox'

/** A server whose results the test decides. The entries of its kind are texts. */
class TestServer {
  readonly receivedTexts: string[] = []
  getResult: (text: string) => SendResult | Promise<SendResult> = () => ({ outcome: 'delivered' })

  readonly kind: EntryKind<string> = {
    name: 'text',
    send: async ({ body: text }) => {
      this.receivedTexts.push(text)
      return this.getResult(text)
    },
  }
}

const dayMs = 86_400_000

let store: MemoryEntryStore
let server: TestServer
let outbox: Outbox

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20) })
  store = new MemoryEntryStore()
  server = new TestServer()
  outbox = new Outbox(store)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Puts a text into the outbox and waits until it is stored. The text is its own key by default. */
async function putText(
  text: string,
  { key = text, uid = 'ada' }: { key?: string; uid?: string | null } = {},
) {
  const { entry, whenStored } = outbox.put(server.kind, { key, uid, body: text })
  await whenStored
  return entry
}

const sendForAda = () => outbox.send(server.kind, 'ada')

describe('sending', () => {
  it('keeps the order in which entries were put, and removes those that the server has', async () => {
    for (const text of ['b', 'a', 'c']) {
      await putText(text)
      vi.advanceTimersByTime(1)
    }

    expect(await sendForAda()).toBe(true)
    expect(server.receivedTexts).toEqual(['b', 'a', 'c'])
    expect(store.entries.size).toBe(0)

    expect(await sendForAda()).toBe(false)
  })

  it('sends what an earlier page could not send', async () => {
    server.getResult = () => ({ outcome: 'unreachable' })
    await putText('a')
    await sendForAda()

    server.getResult = () => ({ outcome: 'delivered' })
    const nextPage = new Outbox(store)
    await nextPage.send(server.kind, 'ada')

    expect(server.receivedTexts).toEqual(['a', 'a'])
    expect(store.entries.size).toBe(0)
  })

  it('sends nothing for another learner, and a visitor’s entries only if their kind allows that', async () => {
    await putText('from grace', { uid: 'grace' })
    await putText('from a visitor', { uid: null })

    await sendForAda()
    expect(server.receivedTexts).toEqual([])

    await outbox.send({ ...server.kind, sendsVisitorEntries: true }, 'ada')
    expect(server.receivedTexts).toEqual(['from a visitor'])
    expect([...store.entries.keys()]).toEqual(['from grace'])
  })

  it('sends a later entry that replaced its predecessor while that one was being sent', async () => {
    let respond = () => {}
    server.getResult = () =>
      new Promise((resolve) => {
        respond = () => resolve({ outcome: 'delivered' })
      })
    await putText('first', { key: 'same key' })
    const sending = sendForAda()
    await vi.advanceTimersByTimeAsync(0)

    await putText('second', { key: 'same key' })
    server.getResult = () => ({ outcome: 'delivered' })
    respond()
    await sending

    expect(server.receivedTexts).toEqual(['first', 'second'])
    expect(store.entries.size).toBe(0)
  })

  it('sends each entry once, even if it is called several times at once', async () => {
    await putText('a')

    await Promise.all([sendForAda(), sendForAda(), sendForAda()])

    expect(server.receivedTexts).toEqual(['a'])
  })

  it('sends entries from the memory of the page if the browser has no storage', async () => {
    store.isAvailable = false
    server.getResult = () => ({ outcome: 'unreachable' })
    const { whenStored } = outbox.put(server.kind, { key: 'a', uid: 'ada', body: 'a' })
    expect(await whenStored).toBe(false)

    await sendForAda()

    server.getResult = () => ({ outcome: 'delivered' })

    expect(await sendForAda()).toBe(true)
    expect(await sendForAda()).toBe(false)
  })

  it('goes on without a lock if the browser refuses it', async () => {
    const request = vi.fn().mockRejectedValue(new DOMException('Refused.', 'SecurityError'))
    vi.stubGlobal('navigator', { locks: { request } })

    await putText('a')
    expect(await sendForAda()).toBe(true)

    await putText('b')
    expect(await sendForAda()).toBe(true)
    expect(server.receivedTexts).toEqual(['a', 'b'])
  })

  it.each([
    ['with locks', { locks: { request: (_name: string, task: () => unknown) => task() } }],
    ['without locks', {}],
  ])('reports an exception of the kind and tries again, %s', async (_title, navigator) => {
    const reportError = vi.fn()
    vi.stubGlobal('reportError', reportError)
    vi.stubGlobal('navigator', navigator)
    const fault = new Error('A fault of the kind.')
    server.getResult = () => {
      throw fault
    }
    await putText('a')
    expect(await sendForAda()).toBe(false)
    expect(reportError).toHaveBeenCalledWith(fault)

    server.getResult = () => ({ outcome: 'delivered' })
    await vi.advanceTimersByTimeAsync(1_000)

    expect(store.entries.size).toBe(0)
  })
})

describe('the result of sending', () => {
  it.each([
    ['delivered', 0],
    ['refused', 0],
    ['held-back', 1],
    ['signed-out', 1],
    ['unreachable', 1],
  ] as const)('%s leaves %s entries in the outbox', async (outcome, entryCount) => {
    server.getResult = () => ({ outcome })
    await putText('a')

    await sendForAda()

    expect(store.entries.size).toBe(entryCount)
  })

  it('held-back does not stop later entries, and never removes its own entry', async () => {
    server.getResult = (text) => ({ outcome: text === 'early' ? 'held-back' : 'delivered' })
    await putText('early')
    await putText('late')
    await sendForAda()
    expect([...store.entries.keys()]).toEqual(['early'])

    vi.setSystemTime(Date.now() + 365 * dayMs)
    await sendForAda()

    expect([...store.entries.keys()]).toEqual(['early'])
  })

  it('held-back keeps the new body, if there is one, without sending it at once', async () => {
    server.getResult = () => ({ outcome: 'held-back', body: 'held back' })
    await putText('a')

    await sendForAda()
    expect(server.receivedTexts).toEqual(['a'])

    await sendForAda()
    expect(server.receivedTexts).toEqual(['a', 'held back'])
  })

  it('needs-resend sends the entry again at once with the new body', async () => {
    server.getResult = (text) =>
      text === 'old' ? { outcome: 'needs-resend', body: 'new' } : { outcome: 'delivered' }
    await putText('old')

    await sendForAda()

    expect(server.receivedTexts).toEqual(['old', 'new'])
    expect(store.entries.size).toBe(0)
  })

  it('unreachable is followed by retries with growing delays until the server responds', async () => {
    server.getResult = () => ({ outcome: 'unreachable' })
    await putText('a')
    await sendForAda()
    await vi.advanceTimersByTimeAsync(999)
    expect(server.receivedTexts).toHaveLength(1)

    await vi.advanceTimersByTimeAsync(1 + 2_000 + 5_000 + 10_000)
    expect(server.receivedTexts).toHaveLength(5)

    server.getResult = () => ({ outcome: 'delivered' })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(store.entries.size).toBe(0)

    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.receivedTexts).toHaveLength(6)
  })

  it.each(['unreachable', 'signed-out'] as const)(
    '%s is reported for the entries that wait behind, which other pages may show',
    async (outcome) => {
      const results: string[] = []
      outbox.onResult(server.kind, ({ key }, result) => {
        results.push(`${result.outcome} ${key}`)
        return true
      })
      server.getResult = () => ({ outcome })
      await putText('from another tab')
      vi.advanceTimersByTime(1)
      await putText('from this tab')

      await sendForAda()

      expect(server.receivedTexts).toEqual(['from another tab'])
      expect(results).toEqual([`${outcome} from another tab`, `${outcome} from this tab`])
    },
  )

  it('unreachable is followed by a retry even if another learner’s entries are refused meanwhile', async () => {
    server.getResult = (text) => ({ outcome: text === 'from grace' ? 'unreachable' : 'signed-out' })
    await putText('from grace', { uid: 'grace' })
    await putText('from ada')
    await outbox.send(server.kind, 'grace')
    await sendForAda()

    await vi.advanceTimersByTimeAsync(1_000)

    expect(server.receivedTexts).toEqual(['from grace', 'from ada', 'from grace'])
  })

  it('signed-out is followed by retries only while a page shows the entry', async () => {
    server.getResult = () => ({ outcome: 'signed-out' })
    await putText('a')
    await sendForAda()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.receivedTexts).toHaveLength(1)

    outbox.onResult(server.kind, () => true)
    await sendForAda()
    await vi.advanceTimersByTimeAsync(1_000)

    expect(server.receivedTexts).toHaveLength(3)
  })
})

describe('listeners', () => {
  it('learn of a delivery that no page shows only if they ask for those', async () => {
    const calls: string[] = []
    outbox.onDeliveryNotShown(({ key }) => calls.push(`not shown ${key}`))
    const unsubscribe = outbox.onResult(server.kind, ({ key }, { outcome }) => {
      calls.push(`${outcome} ${key}`)
      return true
    })

    await putText('a')
    await sendForAda()
    unsubscribe()
    await putText('b')
    await sendForAda()

    expect(calls).toEqual(['delivered a', 'not shown b'])
  })

  it('do not learn of an unhandled delivery while the page closes', async () => {
    const keysNotShown: string[] = []
    outbox.onDeliveryNotShown(({ key }) => keysNotShown.push(key))
    const entry = await putText('a')

    await outbox.sendWhilePageCloses(server.kind, entry, 'ada')

    expect(server.receivedTexts).toEqual(['a'])
    expect(keysNotShown).toEqual([])
    expect(store.entries.size).toBe(0)
  })

  it('learn of results in other tabs, too', async () => {
    vi.useRealTimers()
    const sendingChannel = new BroadcastChannel('outbox-test')
    const listeningChannel = new BroadcastChannel('outbox-test')
    const listeningTab = new Outbox(store, listeningChannel)
    const reportedResult = new Promise((resolve) => {
      listeningTab.onResult(server.kind, ({ key }, { outcome }) => {
        resolve({ key, outcome })
        return true
      })
    })

    outbox = new Outbox(store, sendingChannel)
    await putText('a')
    await sendForAda()

    expect(await reportedResult).toEqual({ key: 'a', outcome: 'delivered' })

    sendingChannel.close()
    listeningChannel.close()
  })

  it('learn of results in other tabs that close, too', async () => {
    const postMessage = vi.fn()
    outbox = new Outbox(store, {
      addEventListener() {},
      postMessage,
    } as unknown as BroadcastChannel)
    const entry = await putText('a')

    await outbox.sendWhilePageCloses(server.kind, entry, 'ada')

    expect(postMessage).toHaveBeenCalledWith({ entry, result: { outcome: 'delivered' } })
  })

  it('do not stop the retries or the other listeners if one of them throws', async () => {
    const reportError = vi.fn()
    vi.stubGlobal('reportError', reportError)
    const fault = new Error('A fault of the page.')
    const outcomes: string[] = []
    outbox.onResult(server.kind, () => {
      throw fault
    })
    outbox.onResult(server.kind, (_entry, { outcome }) => {
      outcomes.push(outcome)
      return true
    })
    server.getResult = () => ({ outcome: 'unreachable' })
    await putText('a')

    expect(await sendForAda()).toBe(false)
    expect(reportError).toHaveBeenCalledWith(fault)

    server.getResult = () => ({ outcome: 'delivered' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(outcomes).toEqual(['unreachable', 'delivered'])
    expect(store.entries.size).toBe(0)
  })

  it('do not stop the sending if one throws that learns of deliveries', async () => {
    const reportError = vi.fn()
    vi.stubGlobal('reportError', reportError)
    const fault = new Error('A fault of the page.')
    outbox.onDeliveryNotShown(() => {
      throw fault
    })
    await putText('a')
    await putText('b')

    expect(await sendForAda()).toBe(true)
    expect(reportError).toHaveBeenCalledWith(fault)
    expect(server.receivedTexts).toEqual(['a', 'b'])
  })
})

describe('removing matching entries', () => {
  it('leaves the other entries', async () => {
    await putText('a', { uid: 'ada' })
    await putText('b', { uid: 'grace' })

    await outbox.removeMatching(({ uid }) => uid === 'ada')

    expect([...store.entries.keys()]).toEqual(['b'])
  })

  it('includes entries that were put before the clock was set back', async () => {
    await putText('a')
    vi.setSystemTime(Date.now() - dayMs)

    await outbox.removeMatching(() => true)

    expect(store.entries.size).toBe(0)
  })

  it('leaves entries that are put in the meantime', async () => {
    await putText('first', { key: 'draft' })
    let finishListing = () => {}
    const listingFinished = new Promise<void>((resolve) => {
      finishListing = resolve
    })
    const list = store.list.bind(store)
    vi.spyOn(store, 'list').mockImplementationOnce(() => listingFinished.then(list))

    const removal = outbox.removeMatching(({ key }) => key === 'draft')
    vi.advanceTimersByTime(1)
    await putText('second', { key: 'draft' })
    finishListing()
    await removal

    const entries = await outbox.list(server.kind)

    expect(entries.map(({ body }) => body)).toEqual(['second'])
  })
})
