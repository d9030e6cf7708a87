import path from 'node:path'

/**
 * Gives each test process a DATA_DIR of its own, because test files run in parallel and the product
 * writes into the folder.
 */
const { DATA_DIR } = process.env
if (DATA_DIR === undefined) {
  throw new Error('vitest.config.ts sets DATA_DIR.')
}

const processFolderName = String(process.pid)
const isProcessFolder = path.basename(DATA_DIR) === processFolderName
if (!isProcessFolder) {
  process.env.DATA_DIR = path.join(DATA_DIR, processFolderName)
}
