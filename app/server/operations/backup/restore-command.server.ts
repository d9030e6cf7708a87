import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Decrypter } from 'age-encryption'
import { openEmptyDatabase, unfinishedRestore } from '../../database/client.server'
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
  const file = path.resolve(archive)
  for (const needed of key ? [String(key), file] : [file]) {
    if (!existsSync(needed)) throw new StartError(`There’s no file ${needed}.`)
  }
  const decrypter = openDecrypter(key ? await readFile(String(key), 'utf8') : null, env)
  if (!onlyVerify) return restore(file, decrypter)
  for await (const part of readArchive(file, decrypter)) {
    if (part.kind === 'end') process.stdout.write(sentences('The archive is whole', part))
  }
}

/** Restores everything, or leaves `DATA_DIR` as it was. */
async function restore(archive: string, decrypter: Decrypter): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort())
  await requireEmptyFolder()
  await writeFile(unfinishedRestore, '')
  try {
    const close = await openEmptyDatabase()
    try {
      const restored = await restoreArchive(archive, decrypter, storedSource(), stop.signal)
      await rm(unfinishedRestore)
      process.stdout.write(sentences(`Restored into ${env.DATA_DIR}`, restored))
      for (const name of restored.skipped) {
        process.stderr.write(`The table ${name} isn’t Learnify’s, so it stayed in the archive.\n`)
      }
    } finally {
      await close()
    }
  } catch (error) {
    const reason = (await explainFullDisk()) ?? error
    // If a file can't be removed, the mark stays, and the operator reads why the restore failed.
    if (existsSync(unfinishedRestore)) await emptyFolder().catch(() => {})
    throw reason
  }
}

/** An embedded database just ends on a full disk, and its error doesn't give the reason. */
async function explainFullDisk(): Promise<StartError | null> {
  const { bavail, bsize } = await statfs(env.DATA_DIR)
  const megabytes = Math.floor((bavail * bsize) / 1024 ** 2)
  if (megabytes >= 64) return null
  return new StartError(`The disk of ${env.DATA_DIR} is full (${megabytes} MB left). Nothing was restored.`)
}

async function requireEmptyFolder(): Promise<void> {
  const files = path.join(env.DATA_DIR, 'files')
  await mkdir(files, { recursive: true, mode: 0o711 })
  if (existsSync(unfinishedRestore)) {
    throw new StartError(`An earlier restore into ${env.DATA_DIR} didn’t finish. Empty the folder and start again.`)
  }
  const [other] = [...(await listFolder()).filter((name) => name !== 'files'), ...(await readdir(files))]
  if (other) throw new StartError(`${env.DATA_DIR} isn’t empty: it has ${other}. Restore into an empty folder.`)
}

/** Without hidden files and the file system's own entries. */
async function listFolder(): Promise<string[]> {
  return (await readdir(env.DATA_DIR)).filter((name) => !name.startsWith('.') && name !== 'lost+found')
}

/** Removes the mark of an unfinished restore last. */
async function emptyFolder(): Promise<void> {
  const mark = path.basename(unfinishedRestore)
  for (const name of [...(await listFolder()).filter((name) => name !== mark), mark]) {
    // An embedded database may still write its last files.
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
