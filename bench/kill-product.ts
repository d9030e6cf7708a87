import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Product } from '../tests/support/product.ts'

/**
 * Kills the product (SIGKILL), and its embedded database if it is asked to.
 *
 * @param start starts it again.
 */
export async function killProduct(
  product: Product,
  withDatabase: boolean,
  start: () => Promise<Product>,
): Promise<Product> {
  const postmaster = withDatabase ? await readPostmasterPid(product.folder) : null
  await product.stop('SIGKILL')
  if (postmaster) {
    process.kill(postmaster, 'SIGKILL')
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
