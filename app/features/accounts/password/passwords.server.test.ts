import { availableParallelism } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { hashPassword, isPasswordQueueFull, verifyPassword } from './passwords.server'

describe('hashing passwords', () => {
  it('accepts the password it was made of, however its accents are composed, and no other', async () => {
    const hashed = (await hashPassword('Caf\u00e9-2026')) ?? ''

    expect(await verifyPassword('Cafe\u0301-2026', hashed)).toBe('right')
    expect(await verifyPassword('Cafe-2026', hashed)).toBe('wrong')
  })

  it('uses Argon2id with 46 MiB and one pass', async () => {
    // The other tests hash with less memory, see `quick-password-hashes.ts`.
    vi.doUnmock('@node-rs/argon2')
    vi.resetModules()
    const passwords = await import('./passwords.server')
    vi.resetModules()

    const passwordHash = await passwords.hashPassword('Analytical-1843')

    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
  })

  it('refuses at once what would wait behind sixty others, and does the rest', async () => {
    const taken = Math.max(1, availableParallelism() - 1) + 60
    const asked = Array.from({ length: taken + 3 }, () =>
      verifyPassword('x', 'no hash').catch(() => 'done'),
    )

    expect(isPasswordQueueFull()).toBe(true)

    const results = await Promise.all(asked)

    expect(results.filter((result) => result === 'busy')).toHaveLength(3)
    expect(results.filter((result) => result === 'done')).toHaveLength(taken)
    expect(isPasswordQueueFull()).toBe(false)
  })
})
