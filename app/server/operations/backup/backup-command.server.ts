import path from 'node:path'
import { db, withDatabase } from '../../database/client.server'
import { env, StartError } from '../../env.server'
import { runCommand } from '../operator-command.server'
import { type FinishedBackup, makeBackup, pruneArchives, storedSource } from './backup.server'
import { newKeyFile, openEncrypter } from './backup-keys.server'
import { recordBackup } from './last-backup.server'

await runCommand({
  name: 'backup',
  forms: [
    {
      name: '',
      takes: ['FOLDER'],
      options: {
        keep: { value: 'N', says: 'afterward, remove all archives in FOLDER but the newest N' },
      },
      says: 'write database, files and secrets into one encrypted archive, while Learnify runs',
      run: ([folder = ''], { keep }) => backUp(path.resolve(folder), keep?.toString()),
    },
    {
      name: '--new-key',
      takes: [],
      says: 'print a new key pair',
      run: async () => void process.stdout.write(await newKeyFile()),
    },
  ],
  note: 'Encrypts for BACKUP_RECIPIENT (a public key) or with BACKUP_PASSPHRASE. See docs/backup.md.',
})

async function backUp(folder: string, keep: string | undefined): Promise<void> {
  if (keep && !/^[1-9]\d{0,5}$/.test(keep)) {
    throw new StartError(`--keep takes a number of archives, not '${keep}'.`)
  }

  const encrypter = openEncrypter(env)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => stop.abort())
  }

  const work = async () => {
    const backup = await makeBackup(storedSource(), folder, encrypter, stop.signal)
    await recordBackup(db, backup.bytes)
    process.stdout.write(sentence(backup))
    for (const name of keep ? await pruneArchives(folder, Number(keep)) : []) {
      process.stdout.write(`Removed ${name}\n`)
    }
  }

  await withDatabase(work, { files: true })
}

function sentence({ file, bytes, seconds, manifest }: FinishedBackup): string {
  const tables = Object.values(manifest.tables)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const missing = manifest.missingFiles
    ? `Photos that learners’ records name, but the file store doesn’t have: ${manifest.missingFiles}.\n`
    : ''

  return `${missing}${file}: ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s. Tables: ${tables.length}, rows: ${rows}, files and secrets: ${manifest.files.rows}.\n`
}
