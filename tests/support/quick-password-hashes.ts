import { vi } from 'vitest'

/**
 * Passwords and recovery codes are hashed with little memory, because a hash at the product's cost
 * takes as long as a whole test. `passwords.server.test.ts` checks the product's cost.
 */
const memoryCost = 1024

vi.mock('@node-rs/argon2', async (importOriginal) => {
  const argon2 = await importOriginal<typeof import('@node-rs/argon2')>()
  const hash: typeof argon2.hash = (password, options) =>
    argon2.hash(password, { ...options, memoryCost })
  const hashRaw: typeof argon2.hashRaw = (password, options) =>
    argon2.hashRaw(password, { ...options, memoryCost })

  return { ...argon2, hash, hashRaw }
})
