import { randomBytes } from 'node:crypto'

/**
 * 128 random bits as 22 letters, digits, hyphens and underscores, so that IDs can't be guessed.
 * None begins with a hyphen, because a command would read it as an option.
 */
export function randomId(): string {
  return randomBytes(16).toString('base64url').replace(/^-/, '_')
}
