import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

/**
 * The folder of the product's own files, in a checkout or a release. It does not depend on the
 * folder that the product is started from.
 */
export const productFolder = findFolder(import.meta.dirname)

/** Whether this is a release, which `npm run release` has created. Its folder may be read-only. */
export const isRelease = existsSync(path.join(productFolder, 'release.json'))

/**
 * Returns the default of `DATA_DIR`. It is `data` in a checkout. For a release it is the state
 * folder of systemd, or the data folder of the account.
 */
export function getDefaultDataFolder(
  { STATE_DIRECTORY, XDG_DATA_HOME } = process.env,
  release = isRelease,
): string {
  if (!release) {
    return 'data'
  }

  if (STATE_DIRECTORY) {
    return STATE_DIRECTORY.split(':')[0] ?? STATE_DIRECTORY
  }

  return path.join(XDG_DATA_HOME || path.join(homedir(), '.local/share'), 'learnify')
}

/**
 * The default of `CONTENT_DIR`. A release can be started from any folder, and a checkout is started
 * from its own folder.
 */
export const defaultContentFolder = isRelease ? path.join(productFolder, 'content') : 'content'

/** Returns the version, for example 1.0.0. */
export function productVersion(): string {
  return JSON.parse(readFileSync(path.join(productFolder, 'package.json'), 'utf8')).version
}

/** Returns the nearest folder with a `package.json`, from `folder` up. */
function findFolder(folder: string): string {
  const parent = path.dirname(folder)
  if (existsSync(path.join(folder, 'package.json')) || folder === parent) {
    return folder
  }

  return findFolder(parent)
}
