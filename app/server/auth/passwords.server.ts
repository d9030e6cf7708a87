import { hash, verify } from '@node-rs/argon2'

/** OWASP's first choice for Argon2id (the library's default algorithm): 19 MiB, 2 passes, 1 lane; about 30 ms, off the main thread. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One password, however a keyboard composes its accents (NIST SP 800-63B, 3.1.1.2). */
const composed = (password: string) => password.normalize('NFKC')

export function hashPassword(password: string): Promise<string> {
  return hash(composed(password), cost)
}

export async function verifyPassword(password: string, hashed: string): Promise<boolean> {
  return verify(hashed, composed(password))
}
