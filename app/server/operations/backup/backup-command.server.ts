import path from 'node:path'
import { db } from '../../database/client.server'
import { withDatabase } from '../../database/open-database.server'
import { env, StartError } from '../../env.server'
import { runCommand } from '../operator-command.server'
import { type FinishedBackup, makeBackup, pruneArchives } from './backup.server'
import { createEncrypter, createKeyFile } from './backup-keys.server'
import { getBackupSource } from './backup-source.server'
import { recordBackup } from './last-backup.server'

await runCommand({
  name: 'backup',
  forms: [
    {
      name: '',
      argumentNames: ['FOLDER'],
      options: {
        keep: {
          value: 'N',
          description: 'afterward, remove all archives in FOLDER but the newest N',
        },
      },
      description:
        'write database, files and secrets into one encrypted archive, while Learnify runs',
      run: ([folder = ''], { keep }) => createBackup(path.resolve(folder), keep?.toString()),
    },
    {
      name: '--new-key',
      argumentNames: [],
      description: 'print a new key pair',
      run: async () => void process.stdout.write(await createKeyFile()),
    },
  ],
  note: 'Encrypts for BACKUP_RECIPIENT (a public key) or with BACKUP_PASSPHRASE. See docs/backup.md.',
})

async function createBackup(folder: string, keep: string | undefined): Promise<void> {
  if (keep && !/^[1-9]\d{0,5}$/.test(keep)) {
    throw new StartError(`--keep takes a number of archives, not '${keep}'.`)
  }

  const encrypter = createEncrypter(env)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => stop.abort())
  }

  const makeAndRecordBackup = async () => {
    const backup = await makeBackup(getBackupSource(), folder, encrypter, stop.signal)
    await recordBackup(db, backup.bytes)
    process.stdout.write(formatSummary(backup))
    for (const name of keep ? await pruneArchives(folder, Number(keep)) : []) {
      process.stdout.write(`Removed ${name}\n`)
    }
  }

  await withDatabase(makeAndRecordBackup, { needsFiles: true })
}

function formatSummary({ file, bytes, seconds, manifest }: FinishedBackup): string {
  const tables = Object.values(manifest.tables)
  const rowCount = tables.reduce((sum, table) => sum + table.rows, 0)
  const missingPhotos = manifest.missingFiles
    ? `Photos that learners’ records name, but the file store doesn’t have: ${manifest.missingFiles}.\n`
    : ''

  return `${missingPhotos}${file}: ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s. Tables: ${tables.length}, rows: ${rowCount}, files and secrets: ${manifest.files.rows}.\n`
}
