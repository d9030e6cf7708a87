import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Outbox } from '~/outbox/outbox'
import { MemoryEntryStore } from '../../../../tests/support/memory-entry-store'
import { isLessonDone } from '../lessons/kinds/lesson-rules'
import { emptyProgress, type LessonProgress, mergeProgress } from '../progress/lesson-progress'
import { ProgressReporter, VisitClock } from './progress-reporter'
import { progressReports, type ReportBody } from './progress-reports'

const openedAt = Date.UTC(2026, 10, 20, 12)
const lesson = { kind: 'video', durationSeconds: 30, questionIds: [] } as const

/** A server that merges every report; `answers` decides the outcome of each. */
class FakeServer {
  stored: LessonProgress = emptyProgress
  answers: 'taken' | 'lost-answer' | 'unreachable' | 'not-enrolled' = 'taken'
  readonly received: { address: string; report: LessonProgress & { missed?: string[] } }[] = []

  fetch = async (address: string, { body }: { body: string }): Promise<Response> => {
    if (this.answers === 'unreachable') {
      throw new TypeError('Failed to fetch')
    }

    if (this.answers === 'not-enrolled') {
      return Response.json({ refusal: 'not-enrolled' }, { status: 403 })
    }

    const report = JSON.parse(body)
    this.received.push({ address, report })
    this.stored = mergeProgress(this.stored, { ...emptyProgress, ...report })
    if (this.answers === 'lost-answer') {
      throw new TypeError('Failed to fetch')
    }

    return Response.json({
      work: this.stored,
      done: isLessonDone(lesson, this.stored),
      now: Date.now(),
    })
  }
}

function visit(outbox: Outbox) {
  const clock = new VisitClock(openedAt, () => Date.now())
  const reporter = new ProgressReporter(
    { uid: 'ada', courseId: 'c', lessonId: 'l', openedAt, lengthMs: 30_000, signature: 's' },
    { progress: emptyProgress, done: false },
    { outbox, clock, isDone: (progress, wasDone) => isLessonDone(lesson, progress, wasDone) },
  )

  outbox.listen(progressReports, reporter.handleSentReport)

  return reporter
}

let server: FakeServer
let store: MemoryEntryStore
let outbox: Outbox
beforeEach(() => {
  vi.useFakeTimers({ now: openedAt })
  server = new FakeServer()
  store = new MemoryEntryStore()
  outbox = new Outbox(store)
  vi.stubGlobal('fetch', (address: string, options: { body: string }) =>
    server.fetch(address, options),
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Reports wait in storage as they are sent. */
const storedReport = () => ([...store.entries.values()][0]?.body as ReportBody | undefined)?.report

it('every report names all questions that were answered wrongly so far', async () => {
  const reporter = visit(outbox)
  reporter.recordAnswer('aaaaaaaaaaaa')
  await reporter.flush()
  for (const id of ['bbbbbbbbbbbb', 'cccccccccccc', 'bbbbbbbbbbbb']) {
    reporter.recordMissed(id)
    reporter.recordAnswer(id)
    await reporter.flush()
  }

  expect(server.received.map(({ report }) => report.missed)).toEqual([
    undefined,
    ['bbbbbbbbbbbb'],
    ['bbbbbbbbbbbb', 'cccccccccccc'],
    ['bbbbbbbbbbbb', 'cccccccccccc'],
  ])

  await reporter.close()
})

describe('a visit', () => {
  it('collects what is played, sends it within seconds, and removes it from the browser', async () => {
    const reporter = visit(outbox)
    const statuses: string[] = []
    reporter.subscribe(() => statuses.push(reporter.state.status))
    reporter.recordPlayed([[0, 5000]], 5000)
    expect(reporter.state.status).toBe('collected')
    await vi.advanceTimersByTimeAsync(8_000)
    expect(statuses).toEqual(['collected', 'saving', 'saved'])
    expect(reporter.state.status).toBe('saved')
    expect(server.stored.watched).toEqual([[0, 5000]])
    expect(store.entries.size).toBe(0)
  })

  it('sends a mark, and progress that finishes the lesson, at once', async () => {
    const reporter = visit(outbox)
    reporter.recordPlayed([[0, 27_000]], 27_000)
    expect(reporter.state.done).toBe(true)
    await vi.advanceTimersByTimeAsync(1)
    expect(server.received).toHaveLength(1)
    reporter.recordMark('undone')
    await vi.advanceTimersByTimeAsync(1)
    expect(server.stored.mark?.value).toBe('undone')
    expect(reporter.state.done).toBe(false)
  })

  it('of a video that rests tells nothing new, so that another device’s later place stays', async () => {
    const reporter = visit(outbox)
    reporter.recordPlayed([[0, 5000]], 5000)
    await vi.advanceTimersByTimeAsync(8_000)
    const elsewhere = { ms: 20_000, at: Date.now() }
    server.stored = mergeProgress(server.stored, { ...emptyProgress, position: elsewhere })
    await vi.advanceTimersByTimeAsync(60_000)
    reporter.recordPlayed([[0, 5000]], 5000)
    await reporter.flush()
    expect(server.stored.position).toEqual(elsewhere)
    expect(server.received).toHaveLength(1)
    reporter.recordPlayed([[0, 5000]], 3000)
    await reporter.flush()
    expect(server.stored.position?.ms).toBe(3000)
  })

  it('keeps everything in the browser while offline, says so, and sends it when the network is back', async () => {
    server.answers = 'unreachable'
    const reporter = visit(outbox)
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
    expect(store.entries.size).toBe(0)
  })

  it('stays below the limit of a request, however many pieces were watched', async () => {
    const reporter = visit(outbox)
    const pieces = Array.from({ length: 2_000 }, (_, index): [number, number] => [
      index * 10,
      index * 10 + 5,
    ])
    reporter.recordPlayed(pieces, 20_000)
    for (const [from, to] of pieces) {
      reporter.recordStudied(openedAt + from, openedAt + to)
    }

    reporter.recordMark('done')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(server.received.at(-1)?.report.mark?.value).toBe('done')
    for (const { report } of server.received) {
      expect(JSON.stringify(report).length).toBeLessThan(64 * 1024)
    }
  })

  it('keeps every answer at once, however quickly one follows the other', async () => {
    server.answers = 'unreachable'
    const reporter = visit(outbox)
    for (const id of ['a', 'b', 'c']) {
      reporter.recordAnswer(id)
    }

    await vi.advanceTimersByTimeAsync(1)
    expect(storedReport()).toMatchObject({ answered: ['a', 'b', 'c'] })
  })

  it('loses nothing when the answer is lost: the repeat changes nothing', async () => {
    server.answers = 'lost-answer'
    const reporter = visit(outbox)
    reporter.recordPlayed([[0, 5000]], 5000)
    await vi.advanceTimersByTimeAsync(9_000)
    server.answers = 'taken'
    await vi.advanceTimersByTimeAsync(20_000)
    expect(server.received.length).toBeGreaterThan(1)
    expect(server.stored.watched).toEqual([[0, 5000]])
    expect(reporter.state.status).toBe('saved')
  })

  it('keeps a mark that was made while an older report was under way', async () => {
    const reporter = visit(outbox)
    reporter.recordMark('done')
    const flushing = reporter.flush()
    vi.setSystemTime(openedAt + 50)
    reporter.recordMark('undone')
    await flushing
    await vi.advanceTimersByTimeAsync(100)
    expect(reporter.state.done).toBe(false)
    expect(server.stored.mark?.value).toBe('undone')
  })

  it('survives a closed tab: the next page sends what waits, for this learner only', async () => {
    server.answers = 'unreachable'
    const reporter = visit(outbox)
    reporter.recordPlayed([[0, 5000]], 5000)
    await reporter.close()
    expect(store.entries.size).toBe(1)
    server.answers = 'taken'
    const next = new Outbox(store)
    await next.send(progressReports, 'grace')
    expect(store.entries.size).toBe(1)
    await next.send(progressReports, 'ada')
    expect(server.stored.watched).toEqual([[0, 5000]])
    expect(store.entries.size).toBe(0)
  })

  it('without storage says that only this page has it', async () => {
    store.isAvailable = false
    server.answers = 'unreachable'
    const reporter = visit(outbox)
    reporter.recordMark('done')
    await vi.advanceTimersByTimeAsync(1)
    expect(reporter.state.status).toBe('unkept')
    server.answers = 'taken'
    await vi.advanceTimersByTimeAsync(1_000)
    expect(reporter.state.status).toBe('saved')
  })

  it.each([
    [401, {}, 1],
    [403, { refusal: 'other-learner' }, 1],
    [403, { refusal: 'not-enrolled' }, 1],
    [403, { refusal: 'unknown' }, 0],
    [422, {}, 0],
    [425, {}, 1],
    [500, {}, 1],
  ])('after status %s and %o leaves %s report in the browser', async (status, body, left) => {
    server.fetch = async () => Response.json(body, { status })
    const reporter = visit(outbox)
    reporter.recordMark('done')
    await vi.advanceTimersByTimeAsync(1)
    expect(store.entries.size).toBe(left)
    await reporter.close()
  })
})

describe('a course that was left on another device', () => {
  it('keeps the work of an open lesson in the browser, says so, and sends it once the learner is back', async () => {
    server.answers = 'not-enrolled'
    const reporter = visit(outbox)
    reporter.recordMark('done')
    await vi.advanceTimersByTimeAsync(1)
    expect([reporter.state.status, store.entries.size]).toEqual(['not-enrolled', 1])
    server.answers = 'taken'
    await vi.advanceTimersByTimeAsync(10_000)
    expect([reporter.state.status, store.entries.size]).toEqual(['saved', 0])
    expect(server.stored.mark?.value).toBe('done')
  })

  it('leaves other courses’ reports their turn', async () => {
    server.answers = 'unreachable'
    const reporter = visit(outbox)
    reporter.recordMark('done')
    await reporter.close()
    const address = '/Learn/other/l/progress'
    await outbox.put(progressReports, { key: 'other', uid: 'ada', body: { address, report: {} } })
      .stored
    server.fetch = async (asked) =>
      asked === address
        ? Response.json({ work: emptyProgress, done: false, now: openedAt })
        : Response.json({ refusal: 'not-enrolled' }, { status: 403 })
    expect(await new Outbox(store).send(progressReports, 'ada')).toBe(true)
    expect([...store.entries.keys()]).toEqual([`ada c l ${openedAt}`])
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
