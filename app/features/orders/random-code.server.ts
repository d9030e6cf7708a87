import { randomInt } from 'node:crypto'

/** The alphabet has no letters and digits that look alike. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/**
 * Returns random letters and digits that people can type. A code of twelve can't be guessed, because
 * there are 787 quadrillion of them.
 */
export function createRandomCode(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
