import { describe, expect, it, vi } from 'vitest'
import { ArchiveTurns } from './archive-turns.server'

const archive = { made: true }
const made = async () => archive

describe('archives', () => {
  function newQueue() {
    const release: (() => void)[] = []
    const slow = () => new Promise<object>((resolve) => release.push(() => resolve(archive)))
    return { turns: new ArchiveTurns(), release, slow }
  }

  it('are made one at a time for an account', async () => {
    const { turns, release, slow } = newQueue()
    const first = turns.take('ada', slow)
    expect(await turns.take('ada', made)).toBe('too-often')
    release[0]?.()
    expect(await first).toBe(archive)
    expect(await turns.take('ada', made)).toBe(archive)
  })

  it('are made two at once, while other learners wait for their turn', async () => {
    const { turns, release, slow } = newQueue()
    const all = ['ada', 'bob', 'eve', 'joe'].map((uid) => turns.take(uid, slow))
    expect(release).toHaveLength(2)
    expect(await turns.take('eve', made)).toBe('too-often')
    release[0]?.()
    await all[0]
    await vi.waitFor(() => expect(release).toHaveLength(3))
    for (const number of [1, 2]) release[number]?.()
    await vi.waitFor(() => expect(release).toHaveLength(4))
    release[3]?.()
    expect(await Promise.all(all)).toEqual([archive, archive, archive, archive])
  })

  it('are refused while twenty learners wait, and those who were may ask again', async () => {
    const { turns, release, slow } = newQueue()
    const all = Array.from({ length: 22 }, (_, index) => turns.take(`learner-${index}`, slow))
    for (let times = 0; times < 6; times++) expect(await turns.take('ada', made)).toBe('busy')
    for (let index = 0; index < 22; index++) {
      await vi.waitFor(() => expect(release.length).toBeGreaterThan(index), { interval: 1 })
      release[index]?.()
    }
    await Promise.all(all)
    expect(await turns.take('ada', made)).toBe(archive)
  })

  it('are five in ten minutes, also when some fail', async () => {
    let now = 0
    const turns = new ArchiveTurns(() => now)
    const broken = async () => {
      throw new Error('The disk is full.')
    }
    await expect(turns.take('ada', broken)).rejects.toThrow('full')
    for (let index = 0; index < 4; index++) expect(await turns.take('ada', made)).toBe(archive)
    expect(await turns.take('ada', made)).toBe('too-often')
    expect(await turns.take('bob', made)).toBe(archive)
    now = 10 * 60_000
    expect(await turns.take('ada', made)).toBe(archive)
  })
})
