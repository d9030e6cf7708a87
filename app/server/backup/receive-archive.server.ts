import type { Decrypter } from 'age-encryption'
import { StartError } from '../env.server'
import { type ArchivedTables, type ArchiveHead, type ArchiveManifest, archiveFormat } from './archive-format'
import { readArchive } from './backup-archive.server'
import type { StoredTable } from './stored-tables.server'
import { isSameTally, Tally } from './tally.server'

/** Of an archive's rows and files, in the order in which they are there. */
type Receiver = {
  /** All files, learners' and secrets, come before the rows. */
  file(name: string, bytes: Buffer): Promise<void>
  rows(table: StoredTable, part: Buffer): Promise<void>
}
export type ArchiveContents = { head: ArchiveHead; manifest: ArchiveManifest; tables: StoredTable[] }

/**
 * Reads an archive from beginning to end, and checks all of it against its own counts and checksums.
 *
 * @param begin is told what the archive is before anything else of it, and says who gets its contents.
 * @throws {StartError} with what is wrong with it.
 */
export async function receiveArchive(
  file: string,
  decrypter: Decrypter,
  begin: (head: ArchiveHead) => Promise<Receiver>,
): Promise<ArchiveContents> {
  const files = new Tally()
  const tallies = new Map<string, Tally>()
  let receiver: Receiver | undefined
  let head: ArchiveHead | undefined
  let manifest: ArchiveManifest | undefined
  let tables: StoredTable[] = []
  for await (const { name, read } of readArchive(file, decrypter)) {
    const bytes = await read()
    if (!head || !receiver) {
      head = readHead(name, bytes, file)
      receiver = await begin(head)
    } else if (name === 'tables.json') {
      tables = parsed<ArchivedTables>(bytes, file).tables
      for (const table of tables) tallies.set(table.name, new Tally())
    } else if (name === 'manifest.json') manifest = parsed<ArchiveManifest>(bytes, file)
    else if (name.startsWith('tables/')) {
      const table = tables.find((each) => each.name === name.split('/')[1])
      if (!table) throw new StartError(`${file} has rows of a table that it doesn’t describe.`)
      tallies.get(table.name)?.write(bytes)
      await receiver.rows(table, bytes)
    } else {
      files.addFile(name, bytes)
      await receiver.file(name, bytes)
    }
  }
  if (!head || !manifest) throw new StartError(`${file} has no end, so nothing of it can be trusted.`)
  for (const [name, tally] of tallies) {
    if (!isSameTally(tally.result(), manifest.tables[name])) {
      throw new StartError(`${file} doesn’t have the rows of the table ${name} that it says.`)
    }
  }
  if (!isSameTally(files.result(), manifest.files)) throw new StartError(`${file} doesn’t have the files that it says.`)
  return { head, manifest, tables }
}

function parsed<Part>(bytes: Buffer, file: string): Part {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new StartError(`${file} is damaged, so nothing of it can be trusted.`)
  }
}

function readHead(name: string, bytes: Buffer, file: string): ArchiveHead {
  const head: ArchiveHead | null = name === 'learnify-backup.json' ? parsed(bytes, file) : null
  if (!head) throw new StartError(`${file} isn’t a Learnify backup.`)
  if (head.format > archiveFormat) {
    throw new StartError(
      `${file} was made by a newer version of Learnify (${head.learnify}). Restore it with that one.`,
    )
  }
  return head
}
