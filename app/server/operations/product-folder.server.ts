import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

/**
 * Where the product's own files are, in a checkout and in a release, wherever it is started from.
 */
export const productFolder = findFolder(import.meta.dirname)

/** Made by `npm run release`; its folder may be read-only. */
export const isRelease = existsSync(path.join(productFolder, 'release.json'))

/**
 * The default of `DATA_DIR`: beside a checkout; for a release systemd's state folder, or the
 * account's data folder.
 */
export function defaultDataFolder(
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
 * `CONTENT_DIR` unless it is set: a release is started from any folder, a checkout from its own.
 */
export const defaultContentFolder = isRelease ? path.join(productFolder, 'content') : 'content'

/** For example 0.1.0. */
export function productVersion(): string {
  return JSON.parse(readFileSync(path.join(productFolder, 'package.json'), 'utf8')).version
}

function findFolder(from: string): string {
  if (existsSync(path.join(from, 'package.json')) || from === path.dirname(from)) {
    return from
  }

  return findFolder(path.dirname(from))
}
