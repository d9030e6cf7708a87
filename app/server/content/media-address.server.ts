import { isSigned, sign } from '../signature.server'

const hourSeconds = 60 * 60
/** A reload within this time gets the same address, and finds the film in the browser's cache. */
const windowSeconds = 2 * hourSeconds

/**
 * The address of a file that only learners of its course may have. It works for two to four hours, for whoever holds it:
 * a television that plays the film for a learner brings no cookie (see docs/decisions/2026-11-21-media-by-signature.md).
 *
 * @param path from `/media/` on, without parameters.
 */
export async function signMediaAddress(path: string, now: Date): Promise<string> {
  const until = (Math.floor(now.getTime() / 1000 / windowSeconds) + 2) * windowSeconds
  return `${path}?until=${until}&key=${await sign('media', [path, until])}`
}

/** @returns for how many more seconds the address works; 0 if it never did, or no longer does. */
export async function mediaSecondsLeft(path: string, parameters: URLSearchParams, now: Date): Promise<number> {
  const [until, key] = [parameters.get('until') ?? '', parameters.get('key') ?? '']
  if (!/^\d{1,12}$/.test(until) || !(await isSigned('media', [path, Number(until)], key))) return 0
  return Math.max(0, Number(until) - Math.floor(now.getTime() / 1000))
}
