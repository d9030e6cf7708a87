import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Outbox } from '~/outbox/outbox'
import { MemoryEntryStore } from '../../../../tests/support/memory-entry-store'
import { isLessonDone } from '../lessons/kinds/lesson-rules'
import { emptyProgress, type LessonProgress, mergeProgress } from '../progress/lesson-progress'
import { ProgressReporter, VisitClock } from './progress-reporter'
import { progressReports, type ReportBody } from './progress-reports'

const openedAt = Date.UTC(2026, 10, 20, 12)
const lesson = { kind: 'video', durationSeconds: 30, questionIds: [] } as const

type ReceivedReport = LessonProgress & { missed?: string[] }

/** A server that merges every report it receives, unless the test sets another mode. */
class FakeServer {
  mode: 'accepting' | 'losing-responses' | 'unreachable' | 'not-enrolled' = 'accepting'
  progress: LessonProgress = emptyProgress
  readonly reports: ReceivedReport[] = []

  fetch = async (_url: string, { body }: { body: string }): Promise<Response> => {
    if (this.mode === 'unreachable') {
      throw new TypeError('Failed to fetch')
    }

    if (this.mode === 'not-enrolled') {
      return Response.json({ refusal: 'not-enrolled' }, { status: 403 })
    }

    const report: ReceivedReport = JSON.parse(body)
    this.reports.push(report)
    this.progress = mergeProgress(this.progress, { ...emptyProgress, ...report })
    if (this.mode === 'losing-responses') {
      throw new TypeError('Failed to fetch')
    }

    const done = isLessonDone(lesson, this.progress)
    return Response.json({ work: this.progress, done, now: Date.now() })
  }
}

let server: FakeServer
let store: MemoryEntryStore
let outbox: Outbox

beforeEach(() => {
  vi.useFakeTimers({ now: openedAt })
  server = new FakeServer()
  store = new MemoryEntryStore()
  outbox = new Outbox(store)
  vi.stubGlobal('fetch', (url: string, options: { body: string }) => server.fetch(url, options))
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function openVisit() {
  const clock = new VisitClock(openedAt, () => Date.now())
  const reporter = new ProgressReporter(
    { uid: 'ada', courseId: 'c', lessonId: 'l', openedAt, lengthMs: 30_000, signature: 's' },
    { progress: emptyProgress, done: false },
    { outbox, clock, isDone: (progress, wasDone) => isLessonDone(lesson, progress, wasDone) },
  )
  outbox.onResult(progressReports, reporter.handleReportResult)

  return reporter
}

function getStoredReport() {
  const [entry] = store.entries.values()
  const body = entry?.body as ReportBody | undefined
  return body?.report
}

describe('a visit', () => {
  it('sends played video within seconds and removes the report from the browser', async () => {
    const reporter = openVisit()
    const statuses: string[] = []
    reporter.subscribe(() => statuses.push(reporter.state.status))

    reporter.recordPlayed([[0, 5000]], 5000)
    expect(reporter.state.status).toBe('collected')

    await vi.advanceTimersByTimeAsync(8_000)
    expect(statuses).toEqual(['collected', 'saving', 'saved'])
    expect(reporter.state.status).toBe('saved')
    expect(server.progress.watched).toEqual([[0, 5000]])
    expect(store.entries.size).toBe(0)
  })

  it('sends a mark, and progress that finishes the lesson, at once', async () => {
    const reporter = openVisit()

    reporter.recordPlayed([[0, 27_000]], 27_000)
    expect(reporter.state.done).toBe(true)

    await vi.advanceTimersByTimeAsync(1)
    expect(server.reports).toHaveLength(1)

    reporter.recordMark('undone')
    await vi.advanceTimersByTimeAsync(1)
    expect(server.progress.mark?.value).toBe('undone')
    expect(reporter.state.done).toBe(false)
  })

  it('reports every question that was answered wrongly so far', async () => {
    const reporter = openVisit()
    reporter.recordAnswer('aaaaaaaaaaaa')
    await reporter.flush()
    for (const questionId of ['bbbbbbbbbbbb', 'cccccccccccc', 'bbbbbbbbbbbb']) {
      reporter.recordMissedQuestion(questionId)
      reporter.recordAnswer(questionId)
      await reporter.flush()
    }

    expect(server.reports.map(({ missed }) => missed)).toEqual([
      undefined,
      ['bbbbbbbbbbbb'],
      ['bbbbbbbbbbbb', 'cccccccccccc'],
      ['bbbbbbbbbbbb', 'cccccccccccc'],
    ])

    await reporter.close()
  })

  it('does not report a paused video again, so that a later position of another device stays', async () => {
    const reporter = openVisit()
    reporter.recordPlayed([[0, 5000]], 5000)
    await vi.advanceTimersByTimeAsync(8_000)
    const otherPosition = { ms: 20_000, at: Date.now() }
    server.progress = mergeProgress(server.progress, { ...emptyProgress, position: otherPosition })
    await vi.advanceTimersByTimeAsync(60_000)

    reporter.recordPlayed([[0, 5000]], 5000)
    await reporter.flush()
    expect(server.progress.position).toEqual(otherPosition)
    expect(server.reports).toHaveLength(1)

    reporter.recordPlayed([[0, 5000]], 3000)
    await reporter.flush()
    expect(server.progress.position?.ms).toBe(3000)
  })

  it('keeps everything in the browser while offline, says so, and sends it later', async () => {
    server.mode = 'unreachable'
    const reporter = openVisit()
    reporter.recordPlayed([[0, 5000]], 5000)
    await vi.advanceTimersByTimeAsync(9_000)
    expect(reporter.state.status).toBe('offline')

    reporter.recordPlayed([[5000, 9000]], 9000)
    expect(reporter.state.status).toBe('offline')

    await vi.advanceTimersByTimeAsync(1_500)
    server.mode = 'accepting'
    await vi.advanceTimersByTimeAsync(10_000)
    expect(server.progress.watched).toEqual([[0, 9000]])
    expect(reporter.state.status).toBe('saved')
    expect(store.entries.size).toBe(0)
  })

  it('sends reports below the size limit of a request, however many intervals were watched', async () => {
    const reporter = openVisit()
    const intervals = Array.from({ length: 2_000 }, (_, index): [number, number] => [
      index * 10,
      index * 10 + 5,
    ])

    reporter.recordPlayed(intervals, 20_000)
    for (const [from, to] of intervals) {
      reporter.recordStudied(openedAt + from, openedAt + to)
    }
    reporter.recordMark('done')
    await vi.advanceTimersByTimeAsync(10_000)

    expect(server.reports.at(-1)?.mark?.value).toBe('done')

    for (const report of server.reports) {
      expect(JSON.stringify(report).length).toBeLessThan(64 * 1024)
    }
  })

  it('stores every answer at once, however quickly one follows the other', async () => {
    server.mode = 'unreachable'
    const reporter = openVisit()

    for (const questionId of ['a', 'b', 'c']) {
      reporter.recordAnswer(questionId)
    }
    await vi.advanceTimersByTimeAsync(1)

    expect(getStoredReport()).toMatchObject({ answered: ['a', 'b', 'c'] })
  })

  it('sends a report again whose response was lost, which changes nothing', async () => {
    server.mode = 'losing-responses'
    const reporter = openVisit()
    reporter.recordPlayed([[0, 5000]], 5000)
    await vi.advanceTimersByTimeAsync(9_000)

    server.mode = 'accepting'
    await vi.advanceTimersByTimeAsync(20_000)

    expect(server.reports.length).toBeGreaterThan(1)
    expect(server.progress.watched).toEqual([[0, 5000]])
    expect(reporter.state.status).toBe('saved')
  })

  it('keeps a mark that was made while an older report was being sent', async () => {
    const reporter = openVisit()
    reporter.recordMark('done')
    const sending = reporter.flush()

    vi.setSystemTime(openedAt + 50)
    reporter.recordMark('undone')
    await sending
    await vi.advanceTimersByTimeAsync(100)

    expect(reporter.state.done).toBe(false)
    expect(server.progress.mark?.value).toBe('undone')
  })

  it('survives a closed tab: the next page sends the report, for this learner only', async () => {
    server.mode = 'unreachable'
    const reporter = openVisit()
    reporter.recordPlayed([[0, 5000]], 5000)
    await reporter.close()
    expect(store.entries.size).toBe(1)

    server.mode = 'accepting'
    const outboxOfNextPage = new Outbox(store)
    await outboxOfNextPage.send(progressReports, 'grace')
    expect(store.entries.size).toBe(1)

    await outboxOfNextPage.send(progressReports, 'ada')
    expect(server.progress.watched).toEqual([[0, 5000]])
    expect(store.entries.size).toBe(0)
  })

  it('says that only this page has the progress if the browser has no storage', async () => {
    store.isAvailable = false
    server.mode = 'unreachable'
    const reporter = openVisit()

    reporter.recordMark('done')
    await vi.advanceTimersByTimeAsync(1)
    expect(reporter.state.status).toBe('not-stored')

    server.mode = 'accepting'
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
  ])('with a response of status %s and %o leaves %s reports', async (status, body, reportCount) => {
    server.fetch = async () => Response.json(body, { status })
    const reporter = openVisit()

    reporter.recordMark('done')
    await vi.advanceTimersByTimeAsync(1)

    expect(store.entries.size).toBe(reportCount)

    await reporter.close()
  })
})

describe('a report for a course that was left on another device', () => {
  it('waits in the browser, and is sent once the learner enrolls again', async () => {
    server.mode = 'not-enrolled'
    const reporter = openVisit()

    reporter.recordMark('done')
    await vi.advanceTimersByTimeAsync(1)
    expect(reporter.state.status).toBe('not-enrolled')
    expect(store.entries.size).toBe(1)

    server.mode = 'accepting'
    await vi.advanceTimersByTimeAsync(10_000)
    expect(reporter.state.status).toBe('saved')
    expect(store.entries.size).toBe(0)
    expect(server.progress.mark?.value).toBe('done')
  })

  it('waits for 30 days, and is then given up', async () => {
    server.mode = 'not-enrolled'
    const reporter = openVisit()
    reporter.recordMark('done')
    await reporter.close()

    const dayMs = 86_400_000
    vi.setSystemTime(openedAt + 30 * dayMs)
    await outbox.send(progressReports, 'ada')
    expect(store.entries.size).toBe(1)

    vi.setSystemTime(openedAt + 31 * dayMs)
    await outbox.send(progressReports, 'ada')
    expect(store.entries.size).toBe(0)
  })

  it('does not hold up the reports of other courses', async () => {
    server.mode = 'unreachable'
    const reporter = openVisit()
    reporter.recordMark('done')
    await reporter.close()
    const otherPath = '/Learn/other/l/progress'
    const otherReport = { key: 'other', uid: 'ada', body: { address: otherPath, report: {} } }
    await outbox.put(progressReports, otherReport).whenStored

    server.fetch = async (url) =>
      url === otherPath
        ? Response.json({ work: emptyProgress, done: false, now: openedAt })
        : Response.json({ refusal: 'not-enrolled' }, { status: 403 })
    const hasDelivered = await new Outbox(store).send(progressReports, 'ada')

    expect(hasDelivered).toBe(true)
    expect([...store.entries.keys()]).toEqual([`ada c l ${openedAt}`])
  })
})

describe('the clock of a visit', () => {
  it('starts at the server’s time, moves forward to a later one, and never goes back', () => {
    let monotonicMs = 0
    const clock = new VisitClock(1000, () => monotonicMs)

    monotonicMs = 500
    expect(clock.now()).toBe(1500)

    clock.moveForwardTo(9000)
    expect(clock.now()).toBe(9000)

    clock.moveForwardTo(2000)
    expect(clock.now()).toBe(9000)
  })
})
