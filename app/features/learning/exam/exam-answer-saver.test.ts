import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnswerStatus, ExamAnswerSaver, type KeptAnswer, type SendOutcome } from './exam-answer-saver'
import type { ExamAnswer } from './exam-question'

/** A server as it is, behind a connection that loses requests and answers. */
class LossyServer {
  readonly stored = new Map<number, KeptAnswer>()
  readonly #losses: Iterator<number>
  readonly #clock: { now: number }

  constructor(losses: Iterator<number>, clock: { now: number }) {
    this.#losses = losses
    this.#clock = clock
  }

  async send(question: number, answer: KeptAnswer): Promise<SendOutcome> {
    const loss = (this.#losses.next().value ?? 0) % 4
    if (loss === 1) return { outcome: 'failed' }
    const outcome = this.#take(question, answer)
    return loss === 2 ? { outcome: 'failed' } : outcome
  }

  #take(question: number, answer: KeptAnswer): SendOutcome {
    const before = this.stored.get(question)
    const repeated = before?.revision === answer.revision && before.value === answer.value
    if (before && !repeated && before.revision >= answer.revision) {
      const { revision, value, givenAt } = before
      return { outcome: 'stale', revision, answer: value, ageMs: this.#clock.now - givenAt }
    }
    this.stored.set(question, answer)
    return { outcome: 'saved' }
  }
}

function saverOn(
  server: Pick<LossyServer, 'send'>,
  known: readonly { revision: number }[] = [],
  clock: { now: number } = { now: 0 },
) {
  const statuses: AnswerStatus[] = []
  const later: (() => void)[] = []
  const kept = new Map<number, KeptAnswer>()
  const replaced = new Map<number, ExamAnswer>()
  const saver = new ExamAnswerSaver(
    {
      send: (question, answer) => server.send(question, answer),
      keep: (question, answer) => kept.set(question, answer),
      forget: (question) => kept.delete(question),
      onReplaced: (question, value) => replaced.set(question, value),
      onStatus: (status) => statuses.push(status),
      later: (call) => later.push(call),
      now: () => clock.now,
    },
    known,
  )
  return { saver, statuses, later, kept, replaced }
}

async function deliver(saver: ExamAnswerSaver): Promise<void> {
  for (let tries = 0; tries < 500 && !(await saver.flush()); tries++);
}

const questions = fc.constantFrom(1, 2, 3)
const given = fc.array(fc.tuple(questions, fc.nat(5)), { minLength: 1 })
const losses = fc.infiniteStream(fc.nat(3))
/** Which device answers which question, and whether everything of that device's arrives afterwards; each time another answer. */
const turns = fc
  .array(fc.tuple(fc.nat(1), questions, fc.boolean()), { minLength: 1 })
  .map((given) => given.map(([device, question, arrives], value) => ({ device, question, value, arrives })))

describe('answers on their way', () => {
  it('end as the learner gave them last, whatever is lost on the way', async () => {
    await fc.assert(
      fc.asyncProperty(given, losses, async (answers, lost) => {
        const clock = { now: 0 }
        const server = new LossyServer(lost, clock)
        const { saver, statuses, kept } = saverOn(server, [], clock)
        for (const [question, value] of answers) {
          clock.now += 1
          saver.give(question, value)
        }
        await deliver(saver)
        for (const [question, value] of new Map(answers)) expect(server.stored.get(question)?.value).toBe(value)
        expect(statuses.at(-1)).toBe('saved')
        expect([...kept]).toEqual([])
      }),
    )
  })

  it('of two devices end as they were given last, whichever device was without a connection in between', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (given) => {
        const clock = { now: 0 }
        const server = new LossyServer([][Symbol.iterator](), clock)
        const connected = [true, true]
        const devices = [0, 1].map((device) => {
          const send = async (question: number, answer: KeptAnswer): Promise<SendOutcome> =>
            connected[device] ? server.send(question, answer) : { outcome: 'failed' }
          return saverOn({ send }, [], clock)
        })
        for (const { device, question, value, arrives } of given) {
          clock.now += 1
          connected[device] = arrives
          devices[device]?.saver.give(question, value)
          if (arrives && devices[device]) await deliver(devices[device].saver)
          else await devices[device]?.saver.flush()
        }
        connected.fill(true)
        for (const { saver } of devices) await deliver(saver)
        const last = new Map(given.map(({ question, value }) => [question, value]))
        for (const [question, value] of last) expect(server.stored.get(question)?.value).toBe(value)
      }),
    )
  })

  it('that an earlier page kept give way to a later one, which is shown then', async () => {
    const clock = { now: 1_000_000 }
    const send = async (): Promise<SendOutcome> => ({ outcome: 'stale', revision: 2, answer: 7, ageMs: 60_000 })
    const { saver, replaced, kept } = saverOn({ send }, [{ revision: 2 }], clock)
    saver.restore([[1, { value: 3, revision: 2, givenAt: clock.now - 600_000 }]])
    expect(await saver.flush()).toBe(true)
    expect([...replaced]).toEqual([[1, 7]])
    expect([...kept]).toEqual([])
  })

  it('that an earlier page kept give way to what was chosen on this page before they were read', async () => {
    const sent: ExamAnswer[] = []
    const send = async (_question: number, { value }: KeptAnswer): Promise<SendOutcome> => {
      sent.push(value)
      return { outcome: 'saved' }
    }
    const { saver } = saverOn({ send })
    saver.give(1, 5)
    expect(saver.restore([[1, { value: 3, revision: 1, givenAt: 0 }]])).toEqual([])
    await saver.flush()
    expect(sent).toEqual([5])
  })

  it('are shown as refused when the server cannot read them', async () => {
    const send = async (question: number): Promise<SendOutcome> => ({ outcome: question === 1 ? 'refused' : 'saved' })
    const { saver, statuses } = saverOn({ send })
    saver.give(1, 'x')
    expect(await saver.flush()).toBe(false)
    saver.give(2, 'y')
    // Another answer that is saved does not hide it.
    expect(await saver.flush()).toBe(false)
    expect(statuses.at(-1)).toBe('refused')
  })

  it('are kept on the device until the server has them, and sent again later', async () => {
    let reachable = false
    const send = async (): Promise<SendOutcome> => ({ outcome: reachable ? 'saved' : 'failed' })
    const { saver, statuses, later, kept } = saverOn({ send })
    saver.give(1, 'len')
    expect(await saver.flush()).toBe(false)
    expect(statuses).toEqual(['saving', 'offline'])
    expect([...kept]).toEqual([[1, { value: 'len', revision: 1, givenAt: 0 }]])
    reachable = true
    later[0]?.()
    expect(await saver.flush()).toBe(true)
    expect(statuses.at(-1)).toBe('saved')
  })

  it('go on from the revision that the server knows', async () => {
    const sent: KeptAnswer[] = []
    const send = async (_question: number, answer: KeptAnswer): Promise<SendOutcome> => {
      sent.push(answer)
      return { outcome: 'saved' }
    }
    const { saver } = saverOn({ send }, [{ revision: 4 }])
    saver.give(1, 1)
    await saver.flush()
    expect(sent).toEqual([{ value: 1, revision: 5, givenAt: 0 }])
  })

  it('stop when the attempt is closed, and tell which came too late', async () => {
    let sent = 0
    const send = async (): Promise<SendOutcome> => {
      sent += 1
      return { outcome: 'closed' }
    }
    const { saver, statuses } = saverOn({ send })
    saver.give(1, 1)
    await saver.flush()
    saver.give(1, 2)
    await saver.flush()
    expect(sent).toBe(1)
    expect(statuses.at(-1)).toBe('closed')
    expect([...saver.pending.keys()]).toEqual([1])
  })
})
