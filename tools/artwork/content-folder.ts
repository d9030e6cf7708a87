import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * CONTENT_DIR as the product reads it: from the environment, or from the file that ENV_FILE names,
 * or from .env.
 */
export const contentFolder = path.resolve(root, process.env.CONTENT_DIR || fromFile() || 'content')

function fromFile() {
  const { ENV_FILE } = process.env
  const file = path.resolve(root, ENV_FILE || '.env')
  return ENV_FILE || existsSync(file) ? parseEnv(readFileSync(file, 'utf8')).CONTENT_DIR : undefined
}
