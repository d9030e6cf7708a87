import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isLessonDone, type LessonWork, mergeWork, noWork } from '../../course-work/lesson-work'
import { ProgressReporter } from './progress-reporter'
import { type Delivery, deliverKept } from './report-delivery'
import type { KeptReport, ReportStore } from './report-store'
import { VisitClock } from './visit-clock'

const openedAt = Date.UTC(2026, 10, 20, 12)
const lesson = { kind: 'video', durationSeconds: 30, questionIds: [] } as const

class MemoryStore implements ReportStore {
  readonly reports = new Map<string, KeptReport>()
  async put(report: KeptReport) {
    this.reports.set(report.key, structuredClone(report))
  }
  async settle(report: KeptReport) {
    if (JSON.stringify(this.reports.get(report.key)) === JSON.stringify(report)) this.reports.delete(report.key)
  }
  async listOf(uid: string) {
    return [...this.reports.values()].filter((report) => report.uid === uid)
  }
  async forget(uid: string) {
    for (const { key } of await this.listOf(uid)) this.reports.delete(key)
  }
}

/** A server that merges what reaches it; `answers` decides what becomes of each report. */
class FakeServer {
  stored: LessonWork = noWork
  answers: Delivery['outcome'] | 'lost-answer' = 'taken'
  received = 0
  deliver = async (kept: KeptReport): Promise<Delivery> => {
    if (this.answers !== 'taken' && this.answers !== 'lost-answer') return { outcome: this.answers }
    this.received += 1
    this.stored = mergeWork(this.stored, kept.report as LessonWork)
    if (this.answers === 'lost-answer') return { outcome: 'unreachable' }
    return { outcome: 'taken', work: this.stored, done: isLessonDone(lesson, this.stored), now: Date.now() }
  }
}

function visit(server: FakeServer, store: ReportStore) {
  const clock = new VisitClock(openedAt, () => Date.now())
  return new ProgressReporter(
    { uid: 'ada', courseId: 'c', lessonId: 'l', openedAt, lengthMs: 30_000, signature: 's' },
    { work: noWork, done: false },
    { store, clock, isDone: (work, before) => isLessonDone(lesson, work, before), deliver: server.deliver },
  )
}

it('tells every question that was answered wrongly, in each report from then on', async () => {
  const kept: KeptReport[] = []
  const own = new FakeServer()
  const reporter = visit(own, new MemoryStore())
  own.deliver = async (report) => {
    kept.push(report)
    return { outcome: 'unreachable' }
  }
  const told = visit(own, new MemoryStore())
  reporter.recordAnswer('aaaaaaaaaaaa')
  await reporter.flush()
  for (const id of ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'aaaaaaaaaaaa']) {
    told.recordMissed(id)
    told.recordAnswer(id)
  }
  await told.flush()
  await told.flush()
  expect(kept.map(({ report }) => (report as { missed?: string[] }).missed)).toEqual([
    ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'],
    ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'],
  ])
  await reporter.close()
  await told.close()
})

let server: FakeServer
let store: MemoryStore
beforeEach(() => {
  vi.useFakeTimers({ now: openedAt })
  server = new FakeServer()
  store = new MemoryStore()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a visit', () => {
  it('collects what is played, sends it within seconds, and leaves nothing in the browser', async () => {
    const reporter = visit(server, store)
    const statuses: string[] = []
    reporter.subscribe(() => statuses.push(reporter.state.status))
    reporter.recordPlayed([[0, 5000]], 5000)
    expect(reporter.state.status).toBe('collected')
    await vi.advanceTimersByTimeAsync(8_000)
    expect(statuses).toEqual(['collected', 'saving', 'saved'])
    expect(reporter.state.status).toBe('saved')
    expect(server.stored.watched).toEqual([[0, 5000]])
    expect(store.reports.size).toBe(0)
  })

  it('sends at once what finishes the lesson, and a mark', async () => {
    const reporter = visit(server, store)
    reporter.recordPlayed([[0, 27_000]], 27_000)
    expect(reporter.state.done).toBe(true)
    await vi.advanceTimersByTimeAsync(1)
    expect(server.received).toBe(1)
    reporter.recordMark('undone')
    await vi.advanceTimersByTimeAsync(1)
    expect(server.stored.mark?.value).toBe('undone')
    expect(reporter.state.done).toBe(false)
  })

  it('of a film that rests tells nothing new, so that another device’s later place stays', async () => {
    const reporter = visit(server, store)
    reporter.recordPlayed([[0, 5000]], 5000)
    await vi.advanceTimersByTimeAsync(8_000)
    const elsewhere = { ms: 20_000, at: Date.now() }
    server.stored = mergeWork(server.stored, { ...noWork, position: elsewhere })
    await vi.advanceTimersByTimeAsync(60_000)
    reporter.recordPlayed([[0, 5000]], 5000)
    await reporter.flush()
    expect(server.stored.position).toEqual(elsewhere)
    expect(server.received).toBe(1)
    reporter.recordPlayed([[0, 5000]], 3000)
    await reporter.flush()
    expect(server.stored.position?.ms).toBe(3000)
  })

  it('keeps everything in the browser while offline, says so, and sends it when the network is back', async () => {
    server.answers = 'unreachable'
    const reporter = visit(server, store)
    reporter.recordPlayed([[0, 5000]], 5000)
    await vi.advanceTimersByTimeAsync(9_000)
    expect(reporter.state.status).toBe('offline')
    reporter.recordPlayed([[5000, 9000]], 9000)
    expect(reporter.state.status).toBe('offline')
    await vi.advanceTimersByTimeAsync(1_500)
    server.answers = 'taken'
    await vi.advanceTimersByTimeAsync(10_000)
    expect(server.stored.watched).toEqual([[0, 9000]])
    expect(reporter.state.status).toBe('saved')
    expect(store.reports.size).toBe(0)
  })

  it('keeps every answer at once, however quickly one follows the other', async () => {
    server.answers = 'unreachable'
    const reporter = visit(server, store)
    for (const id of ['a', 'b', 'c']) reporter.recordAnswer(id)
    await vi.advanceTimersByTimeAsync(1)
    const [kept] = [...store.reports.values()]
    expect(kept?.report).toMatchObject({ answered: ['a', 'b', 'c'] })
  })

  it('loses nothing when the answer is lost: the repeat changes nothing', async () => {
    server.answers = 'lost-answer'
    const reporter = visit(server, store)
    reporter.recordPlayed([[0, 5000]], 5000)
    await vi.advanceTimersByTimeAsync(9_000)
    server.answers = 'taken'
    await vi.advanceTimersByTimeAsync(20_000)
    expect(server.received).toBeGreaterThan(1)
    expect(server.stored.watched).toEqual([[0, 5000]])
    expect(reporter.state.status).toBe('saved')
  })

  it('keeps a mark that was made while an older report was under way', async () => {
    const reporter = visit(server, store)
    reporter.recordMark('done')
    const flushing = reporter.flush()
    vi.setSystemTime(openedAt + 50)
    reporter.recordMark('undone')
    await flushing
    await vi.advanceTimersByTimeAsync(100)
    expect(reporter.state.done).toBe(false)
    expect(server.stored.mark?.value).toBe('undone')
  })

  it('survives a closed tab: the next visit sends what was kept', async () => {
    server.answers = 'unreachable'
    const reporter = visit(server, store)
    reporter.recordPlayed([[0, 5000]], 5000)
    await reporter.keep()
    await reporter.close()
    expect(store.reports.size).toBe(1)
    vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
      server.stored = mergeWork(server.stored, JSON.parse(body))
      return Response.json({ work: server.stored, done: false, now: Date.now() })
    })
    expect(await deliverKept(store, 'grace')).toBe(false)
    expect(store.reports.size).toBe(1)
    expect(await deliverKept(store, 'ada')).toBe(true)
    expect(server.stored.watched).toEqual([[0, 5000]])
    expect(store.reports.size).toBe(0)
    vi.unstubAllGlobals()
  })

  it.each([
    [401, {}, 1],
    [403, { refusal: 'other-learner' }, 1],
    [403, { refusal: 'not-enrolled' }, 1],
    [403, { refusal: 'unknown' }, 0],
    [422, {}, 0],
    [500, {}, 1],
  ])('after status %s and %o leaves %s report in the browser', async (status, body, left) => {
    await store.put({ key: 'k', uid: 'ada', address: '/Learn/c/l/progress', report: {} })
    vi.stubGlobal('fetch', async () => Response.json(body, { status }))
    await deliverKept(store, 'ada')
    expect(store.reports.size).toBe(left)
    vi.unstubAllGlobals()
  })
})

describe('a course that was left on another device', () => {
  const refuse = () => vi.stubGlobal('fetch', async () => Response.json({ refusal: 'not-enrolled' }, { status: 403 }))
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('keeps the work of an open lesson in the browser, says so, and sends it once the learner is back', async () => {
    server.answers = 'not-enrolled'
    const reporter = visit(server, store)
    reporter.recordMark('done')
    await vi.advanceTimersByTimeAsync(1)
    expect([reporter.state.status, store.reports.size]).toEqual(['not-enrolled', 1])
    server.answers = 'taken'
    await vi.advanceTimersByTimeAsync(10_000)
    expect([reporter.state.status, store.reports.size]).toEqual(['saved', 0])
    expect(server.stored.mark?.value).toBe('done')
  })

  it('keeps what was done offline for 30 days, and sends what other courses wait for', async () => {
    server.answers = 'unreachable'
    const reporter = visit(server, store)
    reporter.recordMark('done')
    await reporter.close()
    const other = { key: `ada other l ${openedAt}`, uid: 'ada', address: '/Learn/other/l/progress', report: {} }
    await store.put(other)
    vi.stubGlobal('fetch', async (address: string) =>
      address === other.address
        ? Response.json({ work: noWork, done: false, now: openedAt })
        : Response.json({ refusal: 'not-enrolled' }, { status: 403 }),
    )
    expect(await deliverKept(store, 'ada')).toBe(true)
    expect([...store.reports.keys()]).toEqual([`ada c l ${openedAt}`])

    refuse()
    vi.setSystemTime(openedAt + 30 * 86_400_000)
    await deliverKept(store, 'ada')
    expect(store.reports.size).toBe(1)
    vi.setSystemTime(openedAt + 30 * 86_400_000 + 1)
    await deliverKept(store, 'ada')
    expect(store.reports.size).toBe(0)
  })
})

describe('the clock of a visit', () => {
  it('runs from the time of the server, comes forward when it hears a later one, and never goes back', () => {
    let monotonic = 0
    const clock = new VisitClock(1000, () => monotonic)
    monotonic = 500
    expect(clock.now()).toBe(1500)
    clock.moveForwardTo(9000)
    expect(clock.now()).toBe(9000)
    clock.moveForwardTo(2000)
    expect(clock.now()).toBe(9000)
  })
})
