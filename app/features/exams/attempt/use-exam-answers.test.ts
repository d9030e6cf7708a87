import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import type { post } from '~/outbox/delivery'
import { Outbox } from '~/outbox/outbox'
import { MemoryEntryStore } from '../../../../tests/support/memory-entry-store'
import type { AnswerStatus } from '../exam-page-data'
import type { AnswerResult } from './answer-queries.server'
import { createExamAnswerKind } from './exam-answer-outbox'
import { ExamAnswerSaver } from './use-exam-answers'

type Request = { question: number; value: LearnerAnswer; revision: number; ageMs: number }
type Stored = Request & { givenAt: number }

/** A server as it is, behind a connection that loses requests and answers. */
class LossyServer {
  readonly stored = new Map<number, Stored>()
  readonly #losses: Iterator<number>
  readonly #clock: { now: number }

  constructor(losses: Iterator<number>, clock: { now: number }) {
    this.#losses = losses
    this.#clock = clock
  }

  /** @returns null when no answer comes. */
  answer(request: Request): AnswerResult | null {
    const loss = (this.#losses.next().value ?? 0) % 4
    if (loss === 1) {
      return null
    }

    const result = this.#take(request)

    return loss === 2 ? null : result
  }

  #take(request: Request): AnswerResult {
    const { question, value, revision, ageMs } = request
    const before = this.stored.get(question)
    const repeated = before?.revision === revision && before.value === value
    if (before && !repeated && before.revision >= revision) {
      return {
        outcome: 'stale',
        revision: before.revision,
        answer: before.value,
        ageMs: this.#clock.now - before.givenAt,
      }
    }

    this.stored.set(question, { ...request, givenAt: this.#clock.now - ageMs })

    return { outcome: 'saved', revision, answer: value, deadlineAt: null }
  }
}

/** One device with its own storage. */
function openExam(
  answer: (request: Request) => AnswerResult | null,
  { known = [] as { revision: number }[], clock = { now: 0 }, store = new MemoryEntryStore() } = {},
) {
  const statuses: AnswerStatus[] = []
  const replaced = new Map<number, LearnerAnswer>()
  const send: typeof post = async (_, body) => {
    const result = answer(body as Request)
    const outcomeOfRefusal = result ? 'refused' : 'unreachable'
    const outcome = result?.outcome === 'saved' ? 'delivered' : outcomeOfRefusal
    return { outcome, answer: result }
  }
  const outbox = new Outbox(store)
  const kind = createExamAnswerKind(send, () => clock.now)
  const saver = new ExamAnswerSaver(
    {
      uid: 'ada',
      attemptId: 'a',
      outbox,
      kind,
      onReplaced: (question, value) => replaced.set(question, value),
      onStatus: (status) => statuses.push(status),
      now: () => clock.now,
    },
    known,
  )

  outbox.listen(kind, saver.handleResult)

  return { saver, statuses, replaced, store, outbox, kind }
}

const saved = ({ revision, value }: Request): AnswerResult => ({
  outcome: 'saved',
  revision,
  answer: value,
  deadlineAt: null,
})

async function deliver(saver: ExamAnswerSaver): Promise<void> {
  for (let tries = 0; tries < 500 && !(await saver.flush()); tries++) {}
}

const questions = fc.constantFrom(1, 2, 3)
const given = fc.array(fc.tuple(questions, fc.nat(5)), { minLength: 1 })
const losses = fc.infiniteStream(fc.nat(3))
/**
 * Which device answers which question, and whether everything of that device's arrives afterwards;
 * each time another answer.
 */
const turns = fc
  .array(fc.tuple(fc.nat(1), questions, fc.boolean()), { minLength: 1 })
  .map((given) =>
    given.map(([device, question, arrives], value) => ({ device, question, value, arrives })),
  )

beforeEach(() => {
  // Retries are made by hand.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('answers on their way', () => {
  it('end as the learner gave them last, whatever is lost on the way', async () => {
    await fc.assert(
      fc.asyncProperty(given, losses, async (answers, lost) => {
        const clock = { now: 0 }
        const server = new LossyServer(lost, clock)
        const { saver, statuses, store } = openExam((request) => server.answer(request), { clock })
        for (const [question, value] of answers) {
          clock.now += 1
          saver.saveAnswer(question, value)
        }

        await deliver(saver)
        for (const [question, value] of new Map(answers)) {
          expect(server.stored.get(question)?.value).toBe(value)
        }

        expect(statuses.at(-1)).toBe('saved')
        expect(store.entries.size).toBe(0)
      }),
    )
  })

  it('of two devices end as they were given last, whichever device was without a connection in between', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (given) => {
        const clock = { now: 0 }
        const server = new LossyServer([][Symbol.iterator](), clock)
        const connected = [true, true]
        const devices = [0, 1].map((device) =>
          openExam((request) => (connected[device] ? server.answer(request) : null), { clock }),
        )
        for (const { device, question, value, arrives } of given) {
          clock.now += 1
          connected[device] = arrives
          const saver = devices[device]?.saver
          saver?.saveAnswer(question, value)
          if (arrives && saver) {
            await deliver(saver)
          } else {
            await saver?.flush()
          }
        }

        connected.fill(true)
        for (const { saver } of devices) {
          await deliver(saver)
        }

        const last = new Map(given.map(({ question, value }) => [question, value]))
        for (const [question, value] of last) {
          expect(server.stored.get(question)?.value).toBe(value)
        }
      }),
    )
  })

  const left = (value: LearnerAnswer, givenAt: number) => ({
    key: 'exam a 1',
    uid: 'ada',
    body: { attemptId: 'a', question: 1, value, revision: 2, givenAt },
  })

  it('that an earlier page left give way to a later one, which is shown then', async () => {
    const clock = { now: 1_000_000 }
    const stale = () => ({ outcome: 'stale' as const, revision: 2, answer: 7, ageMs: 60_000 })
    const { saver, replaced, store, outbox, kind } = openExam(stale, {
      known: [{ revision: 2 }],
      clock,
    })
    await outbox.put(kind, left(3, clock.now - 600_000)).stored
    expect(await saver.restoreAnswers()).toMatchObject([{ question: 1, value: 3 }])
    expect(await saver.flush()).toBe(true)
    expect([...replaced]).toEqual([[1, 7]])
    expect(store.entries.size).toBe(0)
  })

  it('that an earlier page left give way to what was chosen on this page before they were read', async () => {
    const sent: LearnerAnswer[] = []
    const { saver, outbox, kind } = openExam((request) => {
      sent.push(request.value)
      return saved(request)
    })
    await outbox.put(kind, left(3, 0)).stored
    saver.saveAnswer(1, 5)
    expect(await saver.restoreAnswers()).toEqual([])
    await saver.flush()
    expect(sent).toEqual([5])
  })

  it('of another attempt stay out of this one', async () => {
    const { saver, outbox, kind } = openExam(saved)
    const { body, ...entry } = left(3, 0)
    await outbox.put(kind, { ...entry, key: 'exam b 1', body: { ...body, attemptId: 'b' } }).stored
    expect(await saver.restoreAnswers()).toEqual([])
  })

  it('are shown as refused when the server cannot read them', async () => {
    const { saver, statuses } = openExam((request) =>
      request.question === 1 ? { outcome: 'unreadable' } : saved(request),
    )
    saver.saveAnswer(1, 'x')
    expect(await saver.flush()).toBe(false)
    saver.saveAnswer(2, 'y')
    // Another answer that is saved does not hide it.
    expect(await saver.flush()).toBe(false)
    expect(statuses.at(-1)).toBe('refused')
  })

  it('wait on the device until the server has them, and are sent again later', async () => {
    let reachable = false
    const { saver, statuses, store } = openExam((request) => (reachable ? saved(request) : null))
    saver.saveAnswer(1, 'len')
    expect(await saver.flush()).toBe(false)
    expect([...new Set(statuses)]).toEqual(['saving', 'offline'])
    expect([...store.entries.values()].map(({ body }) => body)).toEqual([
      { attemptId: 'a', question: 1, value: 'len', revision: 1, givenAt: 0 },
    ])
    reachable = true
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await saver.flush()).toBe(true)
    expect(statuses.at(-1)).toBe('saved')
  })

  it('wait for the learner who is taking the exam, while somebody else is signed in', async () => {
    const { saver, statuses, store } = openExam(() => ({ outcome: 'unknown' }))
    saver.saveAnswer(1, 1)
    expect(await saver.flush()).toBe(false)
    expect(statuses.at(-1)).toBe('signed-out')
    expect(store.entries.size).toBe(1)
  })

  it('go on from the revision that the server knows', async () => {
    const sent: Request[] = []
    const { saver } = openExam(
      (request) => {
        sent.push(request)
        return saved(request)
      },
      { known: [{ revision: 4 }] },
    )

    saver.saveAnswer(1, 1)
    await saver.flush()
    saver.saveAnswer(1, 2)
    await saver.flush()
    expect(sent.map(({ value, revision }) => [value, revision])).toEqual([
      [1, 5],
      [2, 6],
    ])
  })

  it('are in order when several are given before the first is acknowledged', async () => {
    const sent: Request[] = []
    const { saver } = openExam((request) => {
      sent.push(request)
      if (sent.length === 1) {
        saver.saveAnswer(1, 2)
      }

      return saved(request)
    })

    saver.saveAnswer(1, 1)
    await saver.flush()
    expect(await saver.flush()).toBe(true)
    expect(sent.map(({ value, revision }) => [value, revision])).toEqual([
      [1, 1],
      [2, 2],
    ])
  })

  it('stop when the attempt is closed, and tell which came too late', async () => {
    let sent = 0
    const { saver, statuses, store } = openExam(() => {
      sent += 1
      return { outcome: 'closed' }
    })
    saver.saveAnswer(1, 1)
    await saver.flush()
    saver.saveAnswer(1, 2)
    await saver.flush()
    expect(sent).toBe(1)
    expect(statuses.at(-1)).toBe('closed')
    expect(saver.pendingQuestions).toEqual([1])
    expect(store.entries.size).toBe(0)
  })
})
