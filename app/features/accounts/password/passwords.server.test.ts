import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { HashingThreads } from './hashing-threads.server'
import { hashPassword, verifyPassword } from './passwords.server'

describe('hashing passwords', () => {
  it('accepts the password it was made of, however its accents are composed, and no other', async () => {
    const hashed = (await hashPassword('Caf\u00e9-2026')) ?? ''
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await verifyPassword('Cafe\u0301-2026', hashed)).toBe(true)
    expect(await verifyPassword('Cafe-2026', hashed)).toBe(false)
  })

  it('refuses at once what would wait behind sixty others, and does the rest', async () => {
    const results = await Promise.all(
      Array.from({ length: 64 }, () => verifyPassword('x', 'no hash').catch(() => 'done')),
    )
    const refused = results.filter((result) => result === null).length
    // The first one waits, too, where a hash of another test has just ended.
    expect([3, 4]).toContain(refused)
    expect(results.filter((result) => result === 'done')).toHaveLength(64 - refused)
  })
})

describe('the threads that hash', () => {
  it('say what is wrong with a stored hash, and go on', async () => {
    const threads = new HashingThreads()
    await expect(threads.run({ password: 'x', hashed: 'no hash' })).rejects.toThrow()
    expect(await threads.run({ password: 'x' })).toContain('$argon2id$')
  })

  it.runIf(process.platform === 'linux')('leave the processor to the thread that answers', async () => {
    const own = nicenessOf(String(process.pid))
    await new HashingThreads().run({ password: 'x' })
    expect(listNiceness()).toContain(own + 5)
    expect(nicenessOf(String(process.pid))).toBe(own)
  })
})

function listNiceness(): number[] {
  return readdirSync('/proc/self/task').map(nicenessOf)
}

function nicenessOf(thread: string): number {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}
