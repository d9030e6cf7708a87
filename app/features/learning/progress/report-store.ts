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
      await run('readwrite', (store) => store.put(report))
    },
    async settle(report) {
      await run('readwrite', (store) => {
        const stored = store.get(report.key)
        stored.onsuccess = () => {
          if (JSON.stringify(stored.result) === JSON.stringify(report)) store.delete(report.key)
        }
        return stored
      })
      await flagWhatIsLeft()
    },
    async listOf(uid) {
      const all = (await run('readonly', (store) => store.getAll())) as KeptReport[]
      return all.filter((report) => report.uid === uid)
    },
    async forget(uid) {
      const reports = await this.listOf(uid)
      await run('readwrite', (store) => {
        for (const { key } of reports) store.delete(key)
        return store.count()
      })
      await flagWhatIsLeft()
    },
  }
}

async function flagWhatIsLeft(): Promise<void> {
  const left = await run('readonly', (store) => store.count())
  if (left === 0) flagKeptReports(false)
}

let connection: Promise<IDBDatabase> | undefined

function connect(): Promise<IDBDatabase> {
  connection ??= new Promise((resolve, reject) => {
    const opening = indexedDB.open(databaseName, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(storeName, { keyPath: 'key' })
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
  // Tried anew next time.
  connection.catch(() => {
    connection = undefined
  })
  return connection
}

async function run<Result>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<Result>) {
  const database = await connect()
  return new Promise<Result>((resolve, reject) => {
    const transaction = database.transaction(storeName, mode)
    const request = work(transaction.objectStore(storeName))
    transaction.oncomplete = () => resolve(request.result)
    transaction.onerror = () => reject(transaction.error)
    transaction.onabort = () => reject(transaction.error)
  })
}
