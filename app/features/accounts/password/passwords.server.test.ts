import { availableParallelism } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { hashPassword, isPasswordQueueFull, verifyPassword } from './passwords.server'

describe('hashing passwords', () => {
  it('accepts only the hashed password, whether its accents are composed or decomposed', async () => {
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

  it('refuses a password at once if sixty others are waiting, and checks those', async () => {
    const queueLength = 60
    const threadCount = Math.max(1, availableParallelism() - 1)
    const acceptedCount = threadCount + queueLength
    const excessCount = 3

    const checks = Array.from({ length: acceptedCount + excessCount }, () =>
      // The hash is invalid, so a check that is accepted ends with an error.
      verifyPassword('x', 'no hash').catch(() => 'done'),
    )
    expect(isPasswordQueueFull()).toBe(true)

    const results = await Promise.all(checks)
    expect(results.filter((result) => result === 'busy')).toHaveLength(excessCount)
    expect(results.filter((result) => result === 'done')).toHaveLength(acceptedCount)
    expect(isPasswordQueueFull()).toBe(false)
  })
})
