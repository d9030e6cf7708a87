/** A product that is killed (SIGKILL) at random moments, every second time together with its database, and started again. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startProduct } from './product.mjs'

/** @typedef {Awaited<ReturnType<typeof startProduct>>} Product */

/**
 * @param {{ product: Product, kills: number, longestMs: number, countAnswers: () => number, onKilled?: () => void }} course
 *   `longestMs`: of the load between a start's first answer and the next kill.
 * @returns the product as it was started last, and after how many milliseconds of load it was killed.
 */
export async function killAgainAndAgain({ product, kills, longestMs, countAnswers, onKilled = () => {} }) {
  const { folder, url } = product
  const killedAfter = []
  let running = product
  for (let kill = 1; kill <= kills; kill++) {
    // The first answer after a start takes longest; the moment is random within the load that follows.
    for (const before = countAnswers(); countAnswers() === before; ) await pause(10)
    const after = 50 + Math.random() * longestMs
    await pause(after)
    const postmaster = kill % 2 === 0 ? await postmasterPid(folder) : null
    await running.stop('SIGKILL')
    onKilled()
    if (postmaster) process.kill(postmaster, 'SIGKILL')
    killedAfter.push(Math.round(after))
    running = await startProduct({ folder, port: Number(new URL(url).port) })
    process.stdout.write(`\rkilled ${kill} of ${kills} times`)
  }
  return { product: running, killedAfter }
}

async function postmasterPid(folder) {
  const text = await readFile(path.join(folder, 'database/cluster/data/postmaster.pid'), 'utf8').catch(() => '')
  return Number(text.split('\n')[0]) || null
}
