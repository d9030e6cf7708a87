import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { AddEntry } from './backup-archive.server'
import type { StoredSource } from './stored-source.server'

/** What signs cookies and certificates. */
export async function addSecrets({ dataDir, authSecret }: StoredSource, add: AddEntry): Promise<void> {
  const file = await readIfThere(path.join(dataDir, 'secrets.json'))
  const secrets = authSecret ? Buffer.from(JSON.stringify({ authSecret })) : file
  if (secrets) await add('secrets.json', secrets)
  const folder = path.join(dataDir, 'secrets')
  for (const name of (await readdir(folder).catch(() => [])).filter((name) => secretName.test(name))) {
    await add(`secrets/${name}`, await readFile(path.join(folder, name)))
  }
}

/** Not the draft of a file that is being written. */
export const secretName = /^[a-z-]+\.json$/

function readIfThere(file: string): Promise<Buffer | null> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
