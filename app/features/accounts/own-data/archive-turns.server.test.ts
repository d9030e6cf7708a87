import { describe, expect, it, vi } from 'vitest'
import { type ArchiveTurn, ArchiveTurns } from './archive-turns.server'

const turn = { end: expect.any(Function) }
/** Asks, and has made it at once. */
async function make(turns: ArchiveTurns, uid: string) {
  const taken = await turns.take(uid)
  if (typeof taken !== 'string') taken.end()
  return taken
}

describe('archives', () => {
  function newQueue() {
    const turns = new ArchiveTurns()
    const given: ArchiveTurn[] = []
    const ask = async (uid: string) => {
      const taken = await turns.take(uid)
      if (typeof taken !== 'string') given.push(taken)
    }
    return { turns, given, ask }
  }

  it('are made one at a time for an account', async () => {
    const { turns, given, ask } = newQueue()
    await ask('ada')
    expect(await turns.take('ada')).toBe('too-often')
    given[0]?.end()
    expect(await turns.take('ada')).toEqual(turn)
  })

  it('are made two at once, while other learners wait for their turn', async () => {
    const { turns, given, ask } = newQueue()
    const all = ['ada', 'bob', 'eve', 'joe'].map(ask)
    await vi.waitFor(() => expect(given).toHaveLength(2))
    expect(await turns.take('eve')).toBe('too-often')
    // Twice is once: whoever leaves in the end has ended before.
    for (let times = 0; times < 2; times++) given[0]?.end()
    await all[2]
    expect(given).toHaveLength(3)
    given[1]?.end()
    await Promise.all(all)
    expect(given).toHaveLength(4)
  })

  it('are refused while twenty learners wait, and those who were may ask again', async () => {
    const { turns, given, ask } = newQueue()
    const all = Array.from({ length: 22 }, (_, index) => ask(`learner-${index}`))
    for (let times = 0; times < 6; times++) expect(await turns.take('ada')).toBe('busy')
    for (let index = 0; index < 22; index++) {
      await vi.waitFor(() => expect(given.length).toBeGreaterThan(index), { interval: 1 })
      given[index]?.end()
    }
    await Promise.all(all)
    expect(await turns.take('ada')).toEqual(turn)
  })

  it('are not made for whoever leaves the line, or waits too long, and may ask again', async () => {
    const { turns, given, ask } = newQueue()
    await Promise.all([ask('ada'), ask('bob')])
    const patience = new AbortController()
    const eve = turns.take('eve', patience.signal)
    const joe = turns.take('joe')
    patience.abort()
    expect(await eve).toBe('busy')
    expect(await turns.take('eve', patience.signal)).toBe('busy')
    given[0]?.end()
    expect(await joe).toEqual(turn)
    given[1]?.end()
    expect(await turns.take('eve', patience.signal)).toEqual(turn)
  })

  it('are five in ten minutes', async () => {
    let now = 0
    const turns = new ArchiveTurns(() => now)
    for (let index = 0; index < 5; index++) expect(await make(turns, 'ada')).toEqual(turn)
    expect(await make(turns, 'ada')).toBe('too-often')
    expect(await make(turns, 'bob')).toEqual(turn)
    now = 10 * 60_000
    expect(await make(turns, 'ada')).toEqual(turn)
  })
})
