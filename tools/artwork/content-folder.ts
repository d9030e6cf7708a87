import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * The folder of the content. The product finds it in the same way: by CONTENT_DIR in the
 * environment, in the file that ENV_FILE names, or in .env.
 */
export const contentFolder = path.resolve(
  root,
  process.env.CONTENT_DIR || readContentDirFromFile() || 'content',
)

function readContentDirFromFile(): string | undefined {
  const { ENV_FILE } = process.env
  const file = path.resolve(root, ENV_FILE || '.env')
  // A missing .env is fine, and a missing file that ENV_FILE names is an error.
  if (!ENV_FILE && !existsSync(file)) {
    return undefined
  }

  return parseEnv(readFileSync(file, 'utf8')).CONTENT_DIR
}
