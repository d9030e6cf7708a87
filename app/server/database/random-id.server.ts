import { randomBytes, randomInt } from 'node:crypto'

/**
 * Returns an ID that can't be guessed. It consists of 128 random bits as 22 letters, digits,
 * hyphens and underscores. It does not begin with a hyphen, because a command would read it as an
 * option.
 */
export function randomId(): string {
  return randomBytes(16).toString('base64url').replace(/^-/, '_')
}

/** The alphabet has no letters and digits that look alike. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/**
 * Returns random letters and digits that people can type. A code of twelve can't be guessed,
 * because there are 787 quadrillion of them.
 */
export function createRandomCode(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
