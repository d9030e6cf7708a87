import { existsSync, readFileSync } from 'node:fs'
import { mkdir, open, readdir, rm, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Decrypter } from 'age-encryption'
import { openEmptyDatabase, unfinishedRestore } from '../database/client.server'
import { env, StartError } from '../env.server'
import { type OptionValues, runCommand } from '../operator-command.server'
import { openDecrypter } from './backup-keys.server'
import { type ArchiveContents, receiveArchive } from './receive-archive.server'
import { restoreArchive } from './restore.server'
import { storedSource } from './stored-source.server'

await runCommand({
  name: 'restore',
  forms: [
    {
      name: '',
      takes: ['ARCHIVE'],
      options: {
        key: { value: 'FILE', says: 'the file with the secret key; without it, BACKUP_PASSPHRASE opens the archive' },
        verify: { says: 'only check the archive' },
      },
      says: 'restore into an empty place: DATA_DIR, and DATABASE_URL if it is set',
      run,
    },
  ],
  note: 'See docs/backup.md.',
})

async function run([archive = '']: readonly string[], { key, verify: onlyVerify }: OptionValues): Promise<void> {
  const decrypter = openDecrypter(readKey(key?.toString()), env)
  requireFile(archive)
  if (onlyVerify) process.stdout.write(sentences('The archive is whole', await verify(archive, decrypter)))
  else await restore(path.resolve(archive), decrypter)
}

function readKey(file: string | undefined): string | null {
  if (file === undefined) return null
  requireFile(file)
  return readFileSync(file, 'utf8')
}

function requireFile(file: string): void {
  if (!existsSync(file)) throw new StartError(`There’s no file ${file}.`)
}

function verify(archive: string, decrypter: Decrypter): Promise<ArchiveContents> {
  const nobody = async () => ({ file: async () => {}, rows: async () => {} })
  return receiveArchive(path.resolve(archive), decrypter, nobody)
}

/** What a failed or interrupted restore has put into the folder goes again, and the database that it started is stopped. */
async function restore(archive: string, decrypter: Decrypter): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
  // An error that nobody waits for would otherwise end the program, and leave its database running.
  const failed = new Promise<never>((_, reject) =>
    process.once('uncaughtException', (error) => {
      stop.abort()
      reject(error)
    }),
  )
  const before = await requireEmptyFolder()
  await (await open(unfinishedRestore, 'w')).close()
  let isDone = false
  try {
    const close = await openEmptyDatabase()
    try {
      const restored = await Promise.race([restoreArchive(archive, decrypter, storedSource(), stop.signal), failed])
      isDone = true
      process.stdout.write(sentences(`Restored into ${env.DATA_DIR}, and read back`, restored))
      for (const name of restored.skipped) {
        process.stderr.write(`The table ${name} isn’t Learnify’s, so it stayed in the archive.\n`)
      }
    } finally {
      await close()
    }
  } catch (error) {
    throw (await fullDisk()) ?? error
  } finally {
    if (isDone) await rm(unfinishedRestore)
    // What can't be removed keeps the mark, and the failure is what operators should read.
    else await emptyFolder(before).catch(() => {})
  }
}

/** An embedded database that finds the disk full just ends; nothing that it says would be the reason. */
async function fullDisk(): Promise<StartError | null> {
  const { bavail, bsize } = await statfs(env.DATA_DIR)
  const megabytes = Math.floor((bavail * bsize) / 1024 ** 2)
  if (megabytes >= 64) return null
  return new StartError(`The disk of ${env.DATA_DIR} is full (${megabytes} MB left). Nothing was restored.`)
}

/** Hidden files and what a file system makes by itself don't count. */
async function requireEmptyFolder(): Promise<ReadonlySet<string>> {
  await mkdir(`${env.DATA_DIR}/files`, { recursive: true, mode: 0o711 })
  const names = (await readdir(env.DATA_DIR)).filter((name) => name !== 'files')
  const files = await readdir(`${env.DATA_DIR}/files`)
  if (existsSync(unfinishedRestore)) {
    throw new StartError(`An earlier restore into ${env.DATA_DIR} didn’t finish. Empty the folder and start again.`)
  }
  const [other] = [...names.filter((name) => !name.startsWith('.') && name !== 'lost+found'), ...files]
  if (other) throw new StartError(`${env.DATA_DIR} isn’t empty: it has ${other}. Restore into an empty folder.`)
  return new Set(names)
}

async function emptyFolder(before: ReadonlySet<string>): Promise<void> {
  const names = (await readdir(env.DATA_DIR)).filter((name) => !before.has(name))
  // The mark that the folder isn't whole goes last.
  for (const name of names.toSorted((name) => (name === path.basename(unfinishedRestore) ? 1 : -1))) {
    // An embedded database that is still ending writes its last files.
    await rm(path.join(env.DATA_DIR, name), { recursive: true, force: true, maxRetries: 20 })
  }
}

function sentences(what: string, { head, manifest }: ArchiveContents): string {
  const lines = Object.entries(manifest.tables).map(([name, { rows }]) => `  ${name}: ${rows}`)
  const missing = manifest.missingFiles ? `Photos that were missing when it was made: ${manifest.missingFiles}. ` : ''
  return `${what}: everything as of ${manifest.takenAt}, made by Learnify ${head.learnify}.
${missing}Files and secrets: ${manifest.files.rows}. Rows:
${lines.join('\n')}
`
}
