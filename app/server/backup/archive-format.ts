import type { StoredSequence, StoredTable } from './stored-tables.server'
import type { TallyResult } from './tally.server'

/** Of the archive's own form; a program of a former format refuses a later one. */
export const archiveFormat = 1

/** The first entry. `migration` is when the newest change of the tables was made. */
export type ArchiveHead = { format: number; learnify: string; migration: number; startedAt: string }
/** In front of the rows, each of which needs to know its columns. */
export type ArchivedTables = { tables: StoredTable[] }
/** The last entry: without it an archive isn't whole. */
export type ArchiveManifest = {
  /** The moment as of which the rows are. */
  takenAt: string
  tables: Record<string, TallyResult>
  sequences: StoredSequence[]
  /** Learners' files and secrets, each with its name. */
  files: TallyResult
  /** Files that rows named but the store didn't have. */
  missingFiles: number
}
