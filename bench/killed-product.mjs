/** A product that is killed (SIGKILL) at random moments, every second time together with its database, and started again. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startProduct } from './product.mjs'

/** @typedef {Awaited<ReturnType<typeof startProduct>>} Product */

/**
 * @param {{ product: Product, kills: number, mostAnswers: number, countAnswers: () => number, onKilled?: () => void }} course
 *   `mostAnswers`: between a start and the next kill, so that a slow machine has as much done as a fast one.
 * @returns the product as it was started last, and after how many answers it was killed.
 */
export async function killAgainAndAgain({ product, kills, mostAnswers, countAnswers, onKilled = () => {} }) {
  const { folder, url } = product
  const killedAfter = []
  let running = product
  for (let kill = 1; kill <= kills; kill++) {
    const before = countAnswers()
    const due = before + 1 + Math.floor(Math.random() * mostAnswers)
    for (const since = performance.now(); countAnswers() < due; await pause(10)) {
      if (performance.now() - since > 120_000) throw new Error('There were too few answers for two minutes.')
    }
    // At any moment of what is under way.
    await pause(Math.random() * 50)
    killedAfter.push(countAnswers() - before)
    const postmaster = kill % 2 === 0 ? await postmasterPid(folder) : null
    await running.stop('SIGKILL')
    onKilled()
    if (postmaster) process.kill(postmaster, 'SIGKILL')
    running = await startProduct({ folder, port: Number(new URL(url).port) })
    process.stdout.write(`\rkilled ${kill} of ${kills} times`)
  }
  return { product: running, killedAfter }
}

async function postmasterPid(folder) {
  const text = await readFile(path.join(folder, 'database/cluster/data/postmaster.pid'), 'utf8').catch(() => '')
  return Number(text.split('\n')[0]) || null
}
