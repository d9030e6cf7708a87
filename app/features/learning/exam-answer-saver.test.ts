import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnswerStatus, ExamAnswerSaver, type KeptAnswer, type SendOutcome } from './exam-answer-saver'
import type { ExamAnswer } from './exam-question'

/** A server as it is, behind a connection that loses requests and answers. */
class LossyServer {
  readonly stored = new Map<string, KeptAnswer>()
  readonly #losses: Iterator<number>

  constructor(losses: Iterator<number>) {
    this.#losses = losses
  }

  async send(questionId: string, answer: KeptAnswer): Promise<SendOutcome> {
    const loss = (this.#losses.next().value ?? 0) % 4
    if (loss === 1) return { outcome: 'failed' }
    const outcome = this.#take(questionId, answer)
    return loss === 2 ? { outcome: 'failed' } : outcome
  }

  #take(questionId: string, answer: KeptAnswer): SendOutcome {
    const before = this.stored.get(questionId)
    const repeated = before?.revision === answer.revision && before.value === answer.value
    if (before && !repeated && before.revision >= answer.revision)
      return { outcome: 'stale', revision: before.revision }
    this.stored.set(questionId, answer)
    return { outcome: 'saved' }
  }
}

function saverOn(server: Pick<LossyServer, 'send'>, known: Record<string, { revision: number }> = {}) {
  const statuses: AnswerStatus[] = []
  const later: (() => void)[] = []
  const kept: [string, KeptAnswer][][] = []
  const saver = new ExamAnswerSaver(
    {
      send: (questionId, answer) => server.send(questionId, answer),
      keep: (pending) => kept.push([...pending]),
      onStatus: (status) => statuses.push(status),
      later: (call) => later.push(call),
    },
    known,
  )
  return { saver, statuses, later, kept }
}

const given = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(5)), { minLength: 1 })
const losses = fc.infiniteStream(fc.nat(3))

describe('answers on their way', () => {
  it('end as the learner gave them last, whatever is lost on the way or stored by another tab', async () => {
    await fc.assert(
      fc.asyncProperty(given, losses, fc.nat(20), async (answers, lost, othersRevision) => {
        const server = new LossyServer(lost)
        server.stored.set('a', { value: 99, revision: othersRevision })
        const { saver, statuses, kept } = saverOn(server)
        for (const [questionId, value] of answers) saver.give(questionId, value)
        for (let tries = 0; tries < 500 && !(await saver.flush()); tries++);
        const last = new Map<string, ExamAnswer>(answers)
        for (const [questionId, value] of last) expect(server.stored.get(questionId)?.value).toBe(value)
        expect(statuses.at(-1)).toBe('saved')
        expect(kept.at(-1)).toEqual([])
      }),
    )
  })

  it('are kept on the device until the server has them, and sent again later', async () => {
    let reachable = false
    const send = async (): Promise<SendOutcome> => ({ outcome: reachable ? 'saved' : 'failed' })
    const { saver, statuses, later, kept } = saverOn({ send })
    saver.give('a', 'len')
    expect(await saver.flush()).toBe(false)
    expect(statuses).toEqual(['saving', 'offline'])
    expect(kept.at(-1)).toEqual([['a', { value: 'len', revision: 1 }]])
    reachable = true
    later[0]?.()
    expect(await saver.flush()).toBe(true)
    expect(statuses.at(-1)).toBe('saved')
  })

  it('go on from the revision that the server knows', async () => {
    const sent: KeptAnswer[] = []
    const send = async (_id: string, answer: KeptAnswer): Promise<SendOutcome> => {
      sent.push(answer)
      return { outcome: 'saved' }
    }
    const { saver } = saverOn({ send }, { a: { revision: 4 } })
    saver.give('a', 1)
    await saver.flush()
    expect(sent).toEqual([{ value: 1, revision: 5 }])
  })

  it('stop when the attempt is closed', async () => {
    let sent = 0
    const send = async (): Promise<SendOutcome> => {
      sent += 1
      return { outcome: 'closed' }
    }
    const { saver, statuses } = saverOn({ send })
    saver.give('a', 1)
    await saver.flush()
    saver.give('a', 2)
    await saver.flush()
    expect(sent).toBe(1)
    expect(statuses.at(-1)).toBe('closed')
  })
})
