/**
 * What backups and exports read: the tables, the photos of learners, and the secrets. Photos and
 * secrets are added to the archive or the folder by a function of the caller.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ClientBase } from 'pg'
import { sessionUrl } from '../../database/client.server'
import { env } from '../../env.server'
import { type FileStore, fileStore, parseFileUrl } from '../../files/files.server'
import { productVersion } from '../product-folder.server'
import type { AddEntry } from './archive.server'
import { beginSnapshot } from './tables.server'

/** Where everything that a backup or an export contains is stored. */
export type BackupSource = {
  /** The URL of the database itself, without a pooler. */
  databaseUrl: string
  files: FileStore
  dataDir: string
  /** The setting `AUTH_SECRET`, if it replaces the file with the secret. */
  authSecret?: string
  version: string
}

/** Returns the source of this product. The command must have opened the database before. */
export function getBackupSource(): BackupSource & { contentDir: string } {
  const { DATA_DIR: dataDir, AUTH_SECRET: authSecret, CONTENT_DIR: contentDir } = env
  return {
    databaseUrl: sessionUrl,
    files: fileStore,
    dataDir,
    authSecret,
    contentDir,
    version: productVersion(),
  }
}

/**
 * Begins a snapshot, and adds the photos that its rows name. If a learner replaces a photo before
 * it is read, a newer snapshot is begun, for which only the new photos are added.
 */
export async function beginSnapshotWithPhotos(
  session: ClientBase,
  files: FileStore,
  add: AddEntry,
) {
  const addedPhotos = new Set<string>()
  let previouslyMissingPhotos: string[] = []
  while (true) {
    const snapshot = await beginSnapshot(session)
    const photos = await listPhotos(session)
    const newPhotos = [...photos].filter((name) => !addedPhotos.has(name))
    const missingPhotos = await addPhotos(files, newPhotos, add)
    for (const name of newPhotos) {
      if (!missingPhotos.includes(name)) {
        addedPhotos.add(name)
      }
    }

    // A photo that is missing for the second time is lost. A newer snapshot would not help.
    if (missingPhotos.every((name) => previouslyMissingPhotos.includes(name))) {
      return { ...snapshot, missingPhotos: missingPhotos.length }
    }

    previouslyMissingPhotos = missingPhotos
    await session.query('rollback')
  }
}

/** The number of photos that are read at the same time. */
const photoBatchSize = 8

/** Adds photos to the archive, and returns the names of those that are missing. */
async function addPhotos(
  files: FileStore,
  names: readonly string[],
  add: AddEntry,
): Promise<string[]> {
  const missingPhotos: string[] = []
  for (let start = 0; start < names.length; start += photoBatchSize) {
    const batch = names.slice(start, start + photoBatchSize)
    const photos = await Promise.all(
      batch.map(async (name) => ({ name, bytes: await files.read(name) })),
    )
    for (const { name, bytes } of photos) {
      if (bytes) {
        await add(`files/${name}`, bytes)
      } else {
        missingPhotos.push(name)
      }
    }
  }

  return missingPhotos
}

/** Returns the names of all photos that learners have. */
export async function listPhotos(session: ClientBase): Promise<Set<string>> {
  const { rows } = await session.query<{ image: string }>(
    'select image from users where image is not null',
  )
  return new Set(rows.map(({ image }) => parseFileUrl(image)).filter((name) => name !== null))
}

/**
 * Matches the name of a file in `DATA_DIR/secrets`, but not of a file that is still being written.
 */
export const secretName = /^[a-z-]+\.json$/

/** Adds the keys that sign cookies and certificates. */
export async function addSecrets(
  { dataDir, authSecret }: BackupSource,
  add: AddEntry,
): Promise<void> {
  const secretsFile = path.join(dataDir, 'secrets.json')
  if (authSecret) {
    await add('secrets.json', Buffer.from(JSON.stringify({ authSecret })))
  } else if (existsSync(secretsFile)) {
    await add('secrets.json', await readFile(secretsFile))
  }

  const folder = path.join(dataDir, 'secrets')
  const fileNames = await readdir(folder).catch(() => [])
  for (const name of fileNames.filter((fileName) => secretName.test(fileName))) {
    await add(`secrets/${name}`, await readFile(path.join(folder, name)))
  }
}
