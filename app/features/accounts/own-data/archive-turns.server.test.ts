import { describe, expect, it } from 'vitest'
import { ArchiveTurns } from './archive-turns.server'

const made = async () => 'made'

describe('archives', () => {
  it('are made one at a time for an account, and few at once', async () => {
    const turns = new ArchiveTurns()
    const release: (() => void)[] = []
    const slow = () => new Promise<string>((resolve) => release.push(() => resolve('made')))
    const first = turns.take('ada', slow)
    expect(await turns.take('ada', made)).toBeNull()
    const second = turns.take('bob', slow)
    expect(await turns.take('eve', made)).toBeNull()
    for (const end of release) end()
    expect(await Promise.all([first, second])).toEqual(['made', 'made'])
    expect(await turns.take('eve', made)).toBe('made')
  })

  it('are five in ten minutes, also when some fail', async () => {
    let now = 0
    const turns = new ArchiveTurns(() => now)
    const broken = async () => {
      throw new Error('The disk is full.')
    }
    await expect(turns.take('ada', broken)).rejects.toThrow('full')
    for (let index = 0; index < 4; index++) expect(await turns.take('ada', made)).toBe('made')
    expect(await turns.take('ada', made)).toBeNull()
    expect(await turns.take('bob', made)).toBe('made')
    now = 10 * 60_000
    expect(await turns.take('ada', made)).toBe('made')
  })
})
