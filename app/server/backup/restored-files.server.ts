import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../env.server'
import { type FileStore, fileNameOf } from '../files.server'
import type { ArchiveManifest } from './archive-format'
import { listNamedFiles } from './named-files.server'
import { secretName } from './secret-files.server'
import type { Query } from './stored-tables.server'
import { isSameTally, Tally } from './tally.server'

/** Where an archive's files go: learners' into the store, secrets into `DATA_DIR`. */
export type FilePlace = { files: FileStore; dataDir: string }

export async function writeArchivedFile({ files, dataDir }: FilePlace, name: string, bytes: Buffer): Promise<void> {
  if (name.startsWith('files/')) return files.write(name.slice('files/'.length), bytes, 'image/webp')
  const place = placeOfSecret(dataDir, name)
  await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
  await writeFile(place, bytes, { mode: 0o600, flush: true })
}

export async function removeArchivedFile({ files, dataDir }: FilePlace, name: string): Promise<void> {
  if (name.startsWith('files/')) await files.remove(name.slice('files/'.length))
  else await rm(placeOfSecret(dataDir, name), { force: true })
}

/** Whoever has the public key can make an archive: no name of it leads out of the folder. */
export function requireKnownName(name: string): void {
  const isSecret =
    name === 'secrets.json' || (name.startsWith('secrets/') && secretName.test(name.slice('secrets/'.length)))
  if (!isSecret && fileNameOf(`/${name}`) === null)
    throw new StartError(`The archive has a file that this version of Learnify doesn’t know: ${name}.`)
}

const placeOfSecret = (dataDir: string, name: string) => path.join(dataDir, name)

/** Of what is in its place now. */
export async function requireSameFiles(target: FilePlace, names: readonly string[], manifest: ArchiveManifest) {
  const tally = new Tally()
  for (const name of names) {
    const bytes = name.startsWith('files/')
      ? await target.files.read(name.slice('files/'.length))
      : await readFile(placeOfSecret(target.dataDir, name))
    tally.addFile(name, bytes ?? Buffer.alloc(0))
  }
  if (!isSameTally(tally.result(), manifest.files)) {
    throw new StartError('The files can’t be read back as the archive has them. Nothing was restored.')
  }
}

/** A photo that a learner replaced or deleted while the backup ran. */
export async function removeUnnamedFiles(sql: Query, files: FileStore, names: readonly string[]): Promise<void> {
  const unnamed = new Set(names.filter((name) => name.startsWith('files/')))
  for await (const name of listNamedFiles(sql)) unnamed.delete(`files/${name}`)
  for (const name of unnamed) await files.remove(name.slice('files/'.length))
}
