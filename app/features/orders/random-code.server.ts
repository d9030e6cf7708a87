import { randomInt } from 'node:crypto'

/** Without letters and digits that look alike. */
const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/**
 * Random letters and digits that people can type. Twelve of them can't be guessed: there are 787
 * quadrillion.
 */
export function newCode(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
}
