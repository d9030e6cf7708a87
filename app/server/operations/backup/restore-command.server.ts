import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Decrypter } from 'age-encryption'
import {
  embeddedDatabaseFolder,
  openEmptyDatabase,
  requireFinishedRestore,
  unfinishedRestoreFile,
} from '../../database/open-database.server'
import { env, StartError } from '../../env.server'
import { type OptionValues, runCommand } from '../operator-command.server'
import { type ArchiveContents, readArchive } from './archive.server'
import { createDecrypter } from './backup-keys.server'
import { getBackupSource } from './backup-source.server'
import { restoreArchive } from './restore.server'

await runCommand({
  name: 'restore',
  forms: [
    {
      name: '',
      argumentNames: ['ARCHIVE'],
      options: {
        key: {
          value: 'FILE',
          description:
            'the file with the secret key; without it, BACKUP_PASSPHRASE opens the archive',
        },
        verify: { description: 'only check the archive' },
      },
      description: 'restore into an empty place: DATA_DIR, and DATABASE_URL if it is set',
      run: restoreOrVerify,
    },
  ],
  note: 'See docs/backup.md.',
})

async function restoreOrVerify(
  [archive = '']: readonly string[],
  { key, verify: onlyVerify }: OptionValues,
): Promise<void> {
  const file = path.resolve(archive)
  const requiredFiles = key ? [String(key), file] : [file]
  for (const requiredFile of requiredFiles) {
    if (!existsSync(requiredFile)) {
      throw new StartError(`There’s no file ${requiredFile}.`)
    }
  }

  const keyFileText = key ? await readFile(String(key), 'utf8') : null
  const decrypter = createDecrypter(keyFileText, env)
  if (!onlyVerify) {
    return restore(file, decrypter)
  }

  for await (const part of readArchive(file, decrypter)) {
    if (part.kind === 'end') {
      process.stdout.write(formatSummary('The archive is whole', part))
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
  // These are the folder that a start creates for photos, hidden files, and an entry of the file
  // system.
  const allowedNames = /^(files$|\.|lost\+found)/
  const otherFile = (await readdir(env.DATA_DIR, { recursive: true })).find(
    (name) => !allowedNames.test(name),
  )
  if (otherFile) {
    throw new StartError(
      `${env.DATA_DIR} isn’t empty: it has ${otherFile}. Restore into an empty folder.`,
    )
  }

  await writeFile(unfinishedRestoreFile, '')
  try {
    const close = await openEmptyDatabase()
    const restoredArchive = await restoreArchive(
      archive,
      decrypter,
      getBackupSource(),
      stop.signal,
    ).finally(close)
    process.stdout.write(formatSummary(`Restored into ${env.DATA_DIR}`, restoredArchive))
    for (const name of restoredArchive.skipped) {
      process.stderr.write(`The table ${name} isn’t Learnify’s, so it stayed in the archive.\n`)
    }
  } catch (error) {
    // An embedded database may still write its last files.
    await rm(embeddedDatabaseFolder, { recursive: true, force: true, maxRetries: 20 })
    throw error
  } finally {
    await rm(unfinishedRestoreFile)
  }
}

function formatSummary(outcome: string, { head, manifest }: ArchiveContents): string {
  const lines = Object.entries(manifest.tables).map(([name, { rows }]) => `  ${name}: ${rows}`)
  const missingPhotos = manifest.missingFiles
    ? `Photos that were missing when it was made: ${manifest.missingFiles}. `
    : ''

  return `${outcome}: everything as of ${manifest.takenAt}, made by Learnify ${head.learnify}.
${missingPhotos}Files and secrets: ${manifest.files.rows}. Rows:
${lines.join('\n')}
`
}
