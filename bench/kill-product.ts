import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Product } from '../tests/support/product.ts'

type KillOptions = {
  shouldKillDatabase: boolean
  start: () => Promise<Product>
}

/** Kills the product with SIGKILL and starts it again. */
export async function killProduct(
  product: Product,
  { shouldKillDatabase, start }: KillOptions,
): Promise<Product> {
  const databasePid = shouldKillDatabase ? await readPostmasterPid(product.folder) : null
  await product.stop('SIGKILL')
  if (databasePid) {
    process.kill(databasePid, 'SIGKILL')
  }

  return start()
}

async function readPostmasterPid(folder: string): Promise<number | null> {
  const text = await readFile(
    path.join(folder, 'database/cluster/data/postmaster.pid'),
    'utf8',
  ).catch(() => '')
  return Number(text.split('\n')[0]) || null
}
