import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import type { postEntry } from '~/outbox/delivery'
import { Outbox } from '~/outbox/outbox'
import { MemoryEntryStore } from '../../../../tests/support/memory-entry-store'
import type { AnswerStatus } from '../exam-page-data'
import type { RecordAnswerResult } from './answer-queries.server'
import { createExamAnswerKind } from './exam-answer-outbox'
import { ExamAnswerSaver } from './exam-answer-saver'

type AnswerRequest = { question: number; value: LearnerAnswer; revision: number; ageMs: number }

/** Returns the server's result, or null if no response arrives. */
type RequestHandler = (request: AnswerRequest) => RecordAnswerResult | null

type Clock = { now: number }

/** What happens to a request: it arrives, it is lost, or its response is lost. */
type Loss = 'none' | 'request' | 'response'

/** A server that follows the rules of revisions, behind a connection that may lose messages. */
class LossyServer {
  readonly storedAnswers = new Map<number, AnswerRequest & { givenAt: number }>()
  readonly #losses: Iterator<Loss>
  readonly #clock: Clock

  constructor(losses: Iterator<Loss>, clock: Clock) {
    this.#losses = losses
    this.#clock = clock
  }

  handle: RequestHandler = (request) => {
    const loss = this.#losses.next().value ?? 'none'
    if (loss === 'request') {
      return null
    }

    const result = this.#record(request)
    return loss === 'response' ? null : result
  }

  #record(request: AnswerRequest): RecordAnswerResult {
    const { question, value, revision, ageMs } = request
    const stored = this.storedAnswers.get(question)
    const isRepeated = stored?.revision === revision && stored.value === value
    if (stored && !isRepeated && stored.revision >= revision) {
      return {
        outcome: 'stale',
        revision: stored.revision,
        answer: stored.value,
        ageMs: this.#clock.now - stored.givenAt,
      }
    }

    this.storedAnswers.set(question, { ...request, givenAt: this.#clock.now - ageMs })
    return savedResult(request)
  }
}

function savedResult({ revision, value }: AnswerRequest) {
  return { outcome: 'saved' as const, revision, answer: value, deadlineAt: null }
}

type DeviceOptions = {
  /** The revisions that the server has when the page opens, in the order of the questions. */
  storedRevisions?: { revision: number }[]
  clock?: Clock
  /** The storage of the browser, which its tabs share. */
  store?: MemoryEntryStore
}

/** Opens the exam on a device of its own. */
function openExam(
  handleRequest: RequestHandler,
  { storedRevisions = [], clock = { now: 0 }, store = new MemoryEntryStore() }: DeviceOptions = {},
) {
  const statuses: AnswerStatus[] = []
  const replacedAnswers = new Map<number, LearnerAnswer>()
  const deadlines: (string | null)[] = []

  const post: typeof postEntry = async (_url, body) => {
    const result = handleRequest(body as AnswerRequest)
    if (result === null) {
      return { outcome: 'unreachable', responseBody: null }
    }

    const outcome = result.outcome === 'saved' ? 'delivered' : 'refused'
    return { outcome, responseBody: result }
  }

  const outbox = new Outbox(store)
  const kind = createExamAnswerKind(post, () => clock.now)
  const saver = new ExamAnswerSaver(
    {
      uid: 'ada',
      attemptId: 'a',
      outbox,
      kind,
      onReplaced: (question, value) => replacedAnswers.set(question, value),
      onStatus: (status) => statuses.push(status),
      onDeadline: (deadlineAt) => deadlines.push(deadlineAt),
      now: () => clock.now,
    },
    storedRevisions,
  )
  outbox.onResult(kind, saver.handleSendResult)

  return { saver, statuses, replacedAnswers, deadlines, store, outbox, kind }
}

/**
 * Gives two answers. The first one came after the end of the attempt, the second has no response
 * yet.
 */
async function closeWithSecondAnswerPending() {
  const exam = openExam(() => null)
  exam.saver.saveAnswer(1, 1)
  exam.saver.saveAnswer(2, 2)
  const [firstEntry, secondEntry] = await exam.outbox.list(exam.kind)
  if (!firstEntry || !secondEntry) {
    throw new Error('The outbox has no entries.')
  }

  const closed: RecordAnswerResult = { outcome: 'closed' }
  exam.saver.handleSendResult(firstEntry, { outcome: 'refused', serverResult: closed })

  return { ...exam, secondEntry }
}

/** Sends until the server has all answers. */
async function deliverAll(saver: ExamAnswerSaver): Promise<void> {
  for (let attempts = 0; attempts < 500; attempts++) {
    const outcome = await saver.flush()
    if (outcome === 'saved') {
      return
    }
  }
}

const anyQuestion = fc.constantFrom(1, 2, 3)
const anyLosses = fc.infiniteStream(fc.constantFrom<Loss[]>('none', 'request', 'response', 'none'))

beforeEach(() => {
  // The tests send again by themselves, instead of waiting for retries.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('the server has the answers that were given last', () => {
  it('whatever the connection loses', async () => {
    const anyAnswers = fc.array(fc.tuple(anyQuestion, fc.nat(5)), { minLength: 1 })

    await fc.assert(
      fc.asyncProperty(anyAnswers, anyLosses, async (answers, losses) => {
        const clock = { now: 0 }
        const server = new LossyServer(losses, clock)
        const { saver, statuses, store } = openExam(server.handle, { clock })

        for (const [question, value] of answers) {
          clock.now += 1
          saver.saveAnswer(question, value)
        }
        await deliverAll(saver)

        for (const [question, lastValue] of new Map(answers)) {
          expect(server.storedAnswers.get(question)?.value).toBe(lastValue)
        }
        expect(statuses.at(-1)).toBe('saved')
        expect(store.entries.size).toBe(0)
      }),
    )
  })

  it('on either of two devices, whichever of them was offline in between', async () => {
    // Every answer gets another value. An offline device can't send its answers.
    const anyAnswers = fc
      .array(fc.tuple(fc.nat(1), anyQuestion, fc.boolean()), { minLength: 1 })
      .map((tuples) =>
        tuples.map(([device, question, isOnline], value) => ({
          device,
          question,
          isOnline,
          value,
        })),
      )

    await fc.assert(
      fc.asyncProperty(anyAnswers, async (answers) => {
        const clock = { now: 0 }
        const noLosses = [][Symbol.iterator]()
        const server = new LossyServer(noLosses, clock)
        const onlineDevices = [true, true]
        const devices = [0, 1].map((device) =>
          openExam((request) => (onlineDevices[device] ? server.handle(request) : null), { clock }),
        )

        for (const { device, question, value, isOnline } of answers) {
          clock.now += 1
          onlineDevices[device] = isOnline
          const saver = devices[device]?.saver
          saver?.saveAnswer(question, value)
          if (isOnline && saver) {
            await deliverAll(saver)
          } else {
            await saver?.flush()
          }
        }

        onlineDevices.fill(true)
        for (const { saver } of devices) {
          await deliverAll(saver)
        }

        const lastValues = new Map(answers.map(({ question, value }) => [question, value]))
        for (const [question, lastValue] of lastValues) {
          expect(server.storedAnswers.get(question)?.value).toBe(lastValue)
        }
      }),
    )
  })
})

describe('answers that an earlier page left in the outbox', () => {
  const entryOfEarlierPage = (value: LearnerAnswer, givenAt: number) => ({
    key: 'exam a 1',
    uid: 'ada',
    body: { attemptId: 'a', question: 1, value, revision: 2, givenAt },
  })

  it('give way to a later answer of the server, which is displayed', async () => {
    const clock = { now: 1_000_000 }
    const storedRevisions = [{ revision: 2 }]
    const { saver, replacedAnswers, store, outbox, kind } = openExam(
      () => ({ outcome: 'stale', revision: 2, answer: 7, ageMs: 60_000 }),
      { storedRevisions, clock },
    )
    await outbox.put(kind, entryOfEarlierPage(3, clock.now - 600_000)).whenStored

    expect(await saver.restoreAnswers()).toMatchObject([{ question: 1, value: 3 }])
    expect(await saver.flush()).toBe('saved')

    expect([...replacedAnswers]).toEqual([[1, 7]])
    expect(store.entries.size).toBe(0)
  })

  it('give way to an answer that was given before they were restored', async () => {
    const sentValues: LearnerAnswer[] = []
    const { saver, outbox, kind } = openExam((request) => {
      sentValues.push(request.value)
      return savedResult(request)
    })
    await outbox.put(kind, entryOfEarlierPage(3, 0)).whenStored

    saver.saveAnswer(1, 5)
    expect(await saver.restoreAnswers()).toEqual([])

    await saver.flush()

    expect(sentValues).toEqual([5])
  })

  it('are not restored if they belong to another attempt', async () => {
    const { saver, outbox, kind } = openExam(savedResult)
    const { body, ...entry } = entryOfEarlierPage(3, 0)
    const otherEntry = { ...entry, key: 'exam b 1', body: { ...body, attemptId: 'b' } }
    await outbox.put(kind, otherEntry).whenStored

    expect(await saver.restoreAnswers()).toEqual([])
  })

  it('do not change the deadline if they belong to another attempt', async () => {
    const { saver, deadlines, outbox, kind } = openExam((request) => ({
      ...savedResult(request),
      deadlineAt: `2026-11-20T1${request.question}:00:00Z`,
    }))
    const { body, ...entry } = entryOfEarlierPage(3, 0)
    const otherEntry = { ...entry, key: 'exam b 1', body: { ...body, attemptId: 'b' } }
    await outbox.put(kind, otherEntry).whenStored

    saver.saveAnswer(2, 5)
    await saver.flush()

    expect(deadlines).toEqual(['2026-11-20T12:00:00Z'])
  })
})

describe('two tabs of one browser', () => {
  /** Each tab learns of the results of the other. */
  function openTwoTabs(handleRequest: RequestHandler, clock: Clock) {
    const store = new MemoryEntryStore()
    const firstTab = openExam(handleRequest, { store, clock })
    const secondTab = openExam(handleRequest, { store, clock })
    firstTab.outbox.onResult(firstTab.kind, secondTab.saver.handleSendResult)
    secondTab.outbox.onResult(secondTab.kind, firstTab.saver.handleSendResult)

    return { firstTab, secondTab }
  }

  it('that answer the same question offline both have the later answer in the end', async () => {
    let isReachable = false
    const clock = { now: 0 }
    const { firstTab, secondTab } = openTwoTabs(
      (request) => (isReachable ? savedResult(request) : null),
      clock,
    )
    firstTab.saver.saveAnswer(1, 'earlier')
    await firstTab.saver.flush()
    clock.now += 1
    secondTab.saver.saveAnswer(1, 'later')
    await secondTab.saver.flush()

    isReachable = true

    expect(await secondTab.saver.flush()).toBe('saved')

    expect([...firstTab.replacedAnswers]).toEqual([[1, 'later']])
    expect(firstTab.statuses.at(-1)).toBe('saved')
    expect(await firstTab.saver.flush()).toBe('saved')
  })

  it('both know that an answer is saved which the second tab has restored', async () => {
    let isReachable = false
    const { firstTab, secondTab } = openTwoTabs(
      (request) => (isReachable ? savedResult(request) : null),
      { now: 0 },
    )
    firstTab.saver.saveAnswer(1, 'len')
    await firstTab.saver.flush()
    expect(await secondTab.saver.restoreAnswers()).toMatchObject([{ question: 1, value: 'len' }])

    isReachable = true
    expect(await secondTab.saver.flush()).toBe('saved')
    expect(await firstTab.saver.flush()).toBe('saved')
    expect(firstTab.statuses.at(-1)).toBe('saved')
  })
})

describe('an answer', () => {
  it('is refused if the server can’t read it, even if another answer is saved afterwards', async () => {
    const { saver, statuses } = openExam((request) =>
      request.question === 1 ? { outcome: 'unreadable' } : savedResult(request),
    )

    saver.saveAnswer(1, 'x')
    expect(await saver.flush()).toBe('refused')

    saver.saveAnswer(2, 'y')
    expect(await saver.flush()).toBe('refused')
    expect(statuses.at(-1)).toBe('refused')
  })

  it('waits on the device until the server has it, and is sent again', async () => {
    let isReachable = false
    const { saver, statuses, store } = openExam((request) =>
      isReachable ? savedResult(request) : null,
    )
    saver.saveAnswer(1, 'len')
    expect(await saver.flush()).toBe('pending')
    expect([...new Set(statuses)]).toEqual(['saving', 'offline'])
    expect([...store.entries.values()].map(({ body }) => body)).toEqual([
      { attemptId: 'a', question: 1, value: 'len', revision: 1, givenAt: 0 },
    ])

    isReachable = true
    await vi.advanceTimersByTimeAsync(10_000)

    expect(await saver.flush()).toBe('saved')
    expect(statuses.at(-1)).toBe('saved')
  })

  it('waits for its learner while another account is signed in', async () => {
    const { saver, statuses, store } = openExam(() => ({ outcome: 'unknown' }))

    saver.saveAnswer(1, 1)

    expect(await saver.flush()).toBe('pending')
    expect(statuses.at(-1)).toBe('signed-out')
    expect(store.entries.size).toBe(1)
  })

  it('is given up if its learner does not sign in for 30 days', async () => {
    const clock = { now: Date.now() + 31 * 86_400_000 }
    const { saver, statuses, store } = openExam(() => ({ outcome: 'unknown' }), { clock })

    saver.saveAnswer(1, 1)

    expect(await saver.flush()).toBe('refused')
    expect(statuses.at(-1)).toBe('refused')
    expect(store.entries.size).toBe(0)
  })

  it('has a higher revision than the one that the server has', async () => {
    const requests: AnswerRequest[] = []
    const { saver } = openExam(
      (request) => {
        requests.push(request)
        return savedResult(request)
      },
      { storedRevisions: [{ revision: 4 }] },
    )

    saver.saveAnswer(1, 1)
    await saver.flush()
    saver.saveAnswer(1, 2)
    await saver.flush()

    expect(requests).toMatchObject([
      { value: 1, revision: 5 },
      { value: 2, revision: 6 },
    ])
  })

  it('has a higher revision than the previous one, even if that was not acknowledged yet', async () => {
    const requests: AnswerRequest[] = []
    const { saver } = openExam((request) => {
      requests.push(request)
      if (requests.length === 1) {
        saver.saveAnswer(1, 2)
      }

      return savedResult(request)
    })

    saver.saveAnswer(1, 1)
    await saver.flush()

    expect(await saver.flush()).toBe('saved')
    expect(requests).toMatchObject([
      { value: 1, revision: 1 },
      { value: 2, revision: 2 },
    ])
  })

  it('is late, and no later one is sent, once the attempt is closed', async () => {
    let requestCount = 0
    const { saver, statuses, store } = openExam(() => {
      requestCount += 1
      return { outcome: 'closed' }
    })

    saver.saveAnswer(1, 1)
    await saver.flush()
    saver.saveAnswer(1, 2)
    expect(await saver.flush()).toBe('pending')

    expect(requestCount).toBe(1)
    expect(statuses.at(-1)).toBe('closed')
    expect(saver.pendingQuestions).toEqual([1])
    expect(store.entries.size).toBe(0)
  })

  it('is not late if the server has it, even if its response arrives after the end', async () => {
    const { saver, secondEntry } = await closeWithSecondAnswerPending()
    const saved: RecordAnswerResult = { outcome: 'saved', revision: 1, answer: 2, deadlineAt: null }
    saver.handleSendResult(secondEntry, { outcome: 'delivered', serverResult: saved })

    expect(saver.pendingQuestions).toEqual([1])
  })

  it('is not late if another device has replaced it, even if the response arrives after the end', async () => {
    const { saver, replacedAnswers, secondEntry } = await closeWithSecondAnswerPending()
    const stale: RecordAnswerResult = { outcome: 'stale', revision: 3, answer: 7, ageMs: 0 }
    saver.handleSendResult(secondEntry, { outcome: 'refused', serverResult: stale })

    expect(saver.pendingQuestions).toEqual([1])
    expect(replacedAnswers.get(2)).toBe(7)
  })
})
