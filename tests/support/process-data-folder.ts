import path from 'node:path'

// Test files run side by side, and the product writes into its DATA_DIR.
const folder = process.env.DATA_DIR ?? ''
const own = String(process.pid)
if (path.basename(folder) !== own) {
  process.env.DATA_DIR = path.join(folder, own)
}
