import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Product } from '../tests/support/product.ts'

type KillOptions = {
  /** Whether the embedded database is killed, too. */
  shouldKillDatabase: boolean
  /** Starts the product with the same data folder. */
  start: () => Promise<Product>
}

/** Kills the product with SIGKILL and starts it again. Returns the new process. */
export async function killProduct(
  product: Product,
  { shouldKillDatabase, start }: KillOptions,
): Promise<Product> {
  const databasePid = shouldKillDatabase ? await readDatabasePid(product.folder) : null

  await product.stop('SIGKILL')
  if (databasePid !== null) {
    process.kill(databasePid, 'SIGKILL')
  }

  return start()
}

/** Returns the process id of the embedded database, or null if the database does not run. */
async function readDatabasePid(folder: string): Promise<number | null> {
  const file = path.join(folder, 'database/cluster/data/postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => '')
  const [firstLine = ''] = text.split('\n')

  return Number(firstLine) || null
}
