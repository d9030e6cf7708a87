import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Decrypter } from 'age-encryption'
import {
  embeddedFolder,
  openEmptyDatabase,
  requireFinishedRestore,
  unfinishedRestore,
} from '../../database/client.server'
import { env, StartError } from '../../env.server'
import { type OptionValues, runCommand } from '../operator-command.server'
import { type ArchiveContents, readArchive } from './archive.server'
import { storedSource } from './backup.server'
import { openDecrypter } from './backup-keys.server'
import { restoreArchive } from './restore.server'

await runCommand({
  name: 'restore',
  forms: [
    {
      name: '',
      takes: ['ARCHIVE'],
      options: {
        key: {
          value: 'FILE',
          says: 'the file with the secret key; without it, BACKUP_PASSPHRASE opens the archive',
        },
        verify: { says: 'only check the archive' },
      },
      says: 'restore into an empty place: DATA_DIR, and DATABASE_URL if it is set',
      run,
    },
  ],
  note: 'See docs/backup.md.',
})

async function run(
  [archive = '']: readonly string[],
  { key, verify: onlyVerify }: OptionValues,
): Promise<void> {
  const file = path.resolve(archive)
  for (const needed of key ? [String(key), file] : [file]) {
    if (!existsSync(needed)) {
      throw new StartError(`There’s no file ${needed}.`)
    }
  }

  const decrypter = openDecrypter(key ? await readFile(String(key), 'utf8') : null, env)
  if (!onlyVerify) {
    return restore(file, decrypter)
  }

  for await (const part of readArchive(file, decrypter)) {
    if (part.kind === 'end') {
      process.stdout.write(sentences('The archive is whole', part))
    }
  }
}

/** Restores everything, or leaves `DATA_DIR` as it was. */
async function restore(archive: string, decrypter: Decrypter): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => stop.abort())
  }

  requireFinishedRestore()
  await mkdir(env.DATA_DIR, { recursive: true, mode: 0o711 })
  // The folder that a start makes for photos, hidden files, and a file system's own entry.
  const allowed = /^(files$|\.|lost\+found)/
  const other = (await readdir(env.DATA_DIR, { recursive: true })).find(
    (name) => !allowed.test(name),
  )
  if (other) {
    throw new StartError(
      `${env.DATA_DIR} isn’t empty: it has ${other}. Restore into an empty folder.`,
    )
  }

  await writeFile(unfinishedRestore, '')
  try {
    const close = await openEmptyDatabase()
    const restored = await restoreArchive(archive, decrypter, storedSource(), stop.signal).finally(
      close,
    )
    process.stdout.write(sentences(`Restored into ${env.DATA_DIR}`, restored))
    for (const name of restored.skipped) {
      process.stderr.write(`The table ${name} isn’t Learnify’s, so it stayed in the archive.\n`)
    }
  } catch (error) {
    // An embedded database may still write its last files.
    await rm(embeddedFolder, { recursive: true, force: true, maxRetries: 20 })
    throw error
  } finally {
    await rm(unfinishedRestore)
  }
}

function sentences(what: string, { head, manifest }: ArchiveContents): string {
  const lines = Object.entries(manifest.tables).map(([name, { rows }]) => `  ${name}: ${rows}`)
  const missing = manifest.missingFiles
    ? `Photos that were missing when it was made: ${manifest.missingFiles}. `
    : ''

  return `${what}: everything as of ${manifest.takenAt}, made by Learnify ${head.learnify}.
${missing}Files and secrets: ${manifest.files.rows}. Rows:
${lines.join('\n')}
`
}
