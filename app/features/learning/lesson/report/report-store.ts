import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb'
import { flagKeptReports } from './kept-reports-flag'

/** A report that waits in this browser until the server has it. */
export type KeptReport = {
  /** Learner, lesson and visit; a visit's later report takes the place of its earlier one. */
  key: string
  uid: string
  address: string
  report: unknown
}

/** Where reports wait; in memory when a test or a browser without storage needs it. */
export type ReportStore = {
  put(report: KeptReport): Promise<void>
  /** Deletes the report, unless it was replaced by a later one meanwhile. */
  settle(report: KeptReport): Promise<void>
  listOf(uid: string): Promise<KeptReport[]>
  /** Deletes every report of a learner who is gone. */
  forget(uid: string): Promise<void>
}

const databaseName = 'learnify-reports'
const storeName = 'reports'

/** Reports in IndexedDB: they survive a closed tab and a restarted browser. */
export function browserReportStore(): ReportStore {
  return {
    async put(report) {
      flagKeptReports(true)
      const transaction = (await connect()).transaction(storeName, 'readwrite')
      // Again, because another tab may have settled the last report meanwhile.
      const stored = transaction.store.put(report).then(() => flagKeptReports(true))
      await Promise.all([stored, transaction.done])
    },
    async settle(report) {
      const transaction = (await connect()).transaction(storeName, 'readwrite')
      const stored = await transaction.store.get(report.key)
      if (JSON.stringify(stored) === JSON.stringify(report)) await transaction.store.delete(report.key)
      await flagWhatIsLeft(transaction)
    },
    async listOf(uid) {
      const all = await (await connect()).getAll(storeName)
      return all.filter((report) => report.uid === uid)
    },
    async forget(uid) {
      const reports = await this.listOf(uid)
      const transaction = (await connect()).transaction(storeName, 'readwrite')
      await Promise.all(reports.map(({ key }) => transaction.store.delete(key)))
      await flagWhatIsLeft(transaction)
    },
  }
}

/** Ends a change. The flag goes while no other tab can store a report. */
async function flagWhatIsLeft(
  transaction: IDBPTransaction<ReportDatabase, [typeof storeName], 'readwrite'>,
): Promise<void> {
  if ((await transaction.objectStore(storeName).count()) === 0) flagKeptReports(false)
  await transaction.done
}

interface ReportDatabase extends DBSchema {
  [storeName]: { key: string; value: KeptReport }
}

let connection: Promise<IDBPDatabase<ReportDatabase>> | undefined

function connect(): Promise<IDBPDatabase<ReportDatabase>> {
  connection ??= openDB<ReportDatabase>(databaseName, 1, {
    upgrade: (database) => void database.createObjectStore(storeName, { keyPath: 'key' }),
  })
  // Tried anew next time.
  connection.catch(() => {
    connection = undefined
  })
  return connection
}
