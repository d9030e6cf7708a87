/**
 * Tells the operator how the start went. On a terminal, the messages are lines of text. Everywhere
 * else, they are lines of JSON, like the rest of the log.
 */
import { env, StartError } from '~/server/env.server'
import { describeMailDelivery } from '~/server/mail/mail.server'
import { log } from './log.server'

/** Node.js 20 takes twice as much time to render a page as Node.js 24. */
const recommendedNodeVersion = 24

/** The number of the level "fatal" in the lines of the log. */
const fatalLevel = 60

/** Warns if the Node.js that runs this process is older than recommended. */
export function warnOfOldNode(): void {
  const [majorVersion] = process.versions.node.split('.')
  if (Number(majorVersion) >= recommendedNodeVersion) {
    return
  }

  // The packages contain a newer Node.js, which `npm start` uses unless the machine can't run it.
  log.warn(
    { node: process.versions.node },
    'this Node.js is old and slow: npm start uses a newer one from the packages if it can run here',
  )
}

/**
 * Prints where the product runs.
 *
 * @param ownerLinkPath the path of a link that makes its visitor the school's owner, or null if the
 *   school has an owner
 */
export function printWelcome(ownerLinkPath: string | null): void {
  const url = env.PUBLIC_URL
  const dataFolder = env.DATA_DIR
  const mail = describeMailDelivery()
  const ownerUrl = ownerLinkPath === null ? undefined : `${url}${ownerLinkPath}`

  if (!process.stdout.isTTY) {
    // LOG_LEVEL must not hide the only link that makes somebody the owner.
    const alwaysLog = log.child({}, { level: 'info' })
    alwaysLog.info({ url, data: dataFolder, mail, ownerUrl }, 'running')
    return
  }

  const lines = [`Learnify is running at ${url}`, `  data   ${dataFolder}`, `  mail   ${mail}`]
  if (ownerUrl !== undefined) {
    lines.push(`  desk   ${ownerUrl} makes you its owner`)
  }

  lines.push('  stop   Ctrl-C')
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
}

/** Prints why the product could not start, even if LOG_LEVEL is 'silent'. */
export function printFailedStart(error: unknown): void {
  const description = describeError(error)
  const jsonLine = JSON.stringify({ level: fatalLevel, time: Date.now(), msg: description })
  process.stderr.write(`${process.stderr.isTTY ? description : jsonLine}\n`)
}

/**
 * Returns the sentence of a mistake that an operator can correct, and the stack of any other error.
 */
function describeError(error: unknown): string {
  if (error instanceof StartError) {
    return error.message
  }

  return error instanceof Error && error.stack ? error.stack : String(error)
}
