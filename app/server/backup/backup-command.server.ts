import path from 'node:path'
import { parseArgs } from 'node:util'
import { db, openDatabaseForCommand } from '../database/client.server'
import { env, StartError } from '../env.server'
import { type FinishedBackup, makeBackup } from './backup.server'
import { newKeyFile, openEncrypter } from './backup-keys.server'
import { type KeepRule, parseKeepRule } from './keep-rule'
import { recordBackup } from './last-backup.server'
import { pruneArchives } from './pruning.server'
import { storedSource } from './stored-source.server'

const usage = `npm run backup -- FOLDER                 write database, files and secrets into one encrypted archive, while Learnify runs
npm run backup -- FOLDER --keep 7d4w6m   then remove old archives: keep 7 daily, 4 weekly, 6 monthly ones (y: yearly)
npm run backup -- --new-key              print a new pair of keys
Encrypts for BACKUP_RECIPIENT (a public key) or with BACKUP_PASSPHRASE. See docs/backup.md.
`

try {
  await run(readArguments())
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function readArguments() {
  try {
    const options = { keep: { type: 'string' }, 'new-key': { type: 'boolean' }, help: { type: 'boolean' } } as const
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n${usage.trimEnd()}`)
  }
}

async function run({ values, positionals }: ReturnType<typeof readArguments>): Promise<void> {
  const [folder] = positionals
  if (values.help) process.stdout.write(usage)
  else if (values['new-key'] && !folder) process.stdout.write(await newKeyFile())
  else if (!folder || positionals.length > 1) throw new StartError(usage.trimEnd())
  else await backUp(path.resolve(folder), values.keep)
}

async function backUp(folder: string, keep: string | undefined): Promise<void> {
  const rule: KeepRule | null = keep === undefined ? {} : parseKeepRule(keep)
  if (!rule)
    throw new StartError(`'${keep}' is no rule. For example, 7d4w6m keeps 7 daily, 4 weekly and 6 monthly archives.`)
  const encrypter = openEncrypter(env)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  const close = await openDatabaseForCommand({ files: true })
  try {
    const backup = await makeBackup(storedSource(), folder, encrypter, stop.signal)
    await recordBackup(db, backup.bytes)
    process.stdout.write(sentence(backup))
    if (keep !== undefined) {
      const removed = await pruneArchives(folder, rule)
      process.stdout.write(`${removed.map((name) => `Removed ${name}\n`).join('')}`)
    }
  } finally {
    await close()
  }
}

function sentence({ file, bytes, seconds, manifest }: FinishedBackup): string {
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
  const tables = Object.keys(manifest.tables).length
  const missing = manifest.missingFiles
    ? `Photos that learners’ records name, but the file store doesn’t have: ${manifest.missingFiles}.\n`
    : ''
  return `${missing}${file}: ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s. Tables: ${tables}, rows: ${rows}, files and secrets: ${manifest.files.rows}.\n`
}
