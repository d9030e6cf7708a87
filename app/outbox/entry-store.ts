import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/** An entry waits in this browser until it is sent. A draft waits until it is finished. */
export type OutboxEntry<Body = unknown> = {
  /** A later entry with the same key replaces the earlier one. */
  key: string
  kind: string
  /**
   * The learner to whom the entry belongs. It is null for a visitor, whose entries go to the first
   * account that signs in.
   */
  uid: string | null
  body: Body
  /** The time in milliseconds since 1970, by this device's clock. */
  putAt: number
  /** A random number that distinguishes this entry from an earlier or later one with its key. */
  version: number
}

export type EntryStore = {
  put(entry: OutboxEntry): Promise<void>
  list(): Promise<OutboxEntry[]>
  /** Removes an entry, unless a later entry with the same key has replaced it. */
  remove(entry: Pick<OutboxEntry, 'key' | 'version'>): Promise<void>
}

/** The limit is far above what one browser gathers while it is offline. */
const maxEntries = 2_000
/** The limit in characters of JSON. The longest progress report has about a third of it. */
const maxBodyLength = 300_000

const databaseName = 'learnify-outbox'
const storeName = 'entries'

interface OutboxDatabase extends DBSchema {
  [storeName]: { key: string; value: OutboxEntry }
}

/** Stores entries in IndexedDB, where they survive a closed tab and a restarted browser. */
export function browserEntryStore(): EntryStore {
  let connection: Promise<IDBPDatabase<OutboxDatabase>> | undefined

  const forgetConnection = () => {
    connection = undefined
  }

  const connect = () => {
    if (!connection) {
      connection = openDB<OutboxDatabase>(databaseName, 1, {
        upgrade(database) {
          database.createObjectStore(storeName, { keyPath: 'key' })
        },
        terminated: forgetConnection,
      })
      // If the database cannot be opened now, the next use tries again.
      connection.catch(forgetConnection)
    }

    return connection
  }

  return {
    async put(entry) {
      const database = await connect()
      await putWithinLimits(database, entry)
    },

    async list() {
      const database = await connect()
      return database.getAll(storeName)
    },

    async remove({ key, version }) {
      const database = await connect()
      const transaction = database.transaction(storeName, 'readwrite')

      const storedEntry = await transaction.store.get(key)
      if (storedEntry?.version === version) {
        await transaction.store.delete(key)
      }

      await transaction.done
    },
  }
}

/** @throws if the entry exceeds the limits, or the browser gives no more room */
async function putWithinLimits(
  database: IDBPDatabase<OutboxDatabase>,
  entry: OutboxEntry,
): Promise<void> {
  if (JSON.stringify(entry.body).length > maxBodyLength) {
    throw new RangeError('The entry is too long.')
  }

  const transaction = database.transaction(storeName, 'readwrite')
  const putRequest = transaction.store.put(entry)
  const countRequest = transaction.store.count()
  // The commit does not wait for the two results, so that it also happens while the tab closes.
  transaction.commit()

  const [entryCount] = await Promise.all([countRequest, putRequest, transaction.done])
  if (entryCount > maxEntries) {
    await database.delete(storeName, entry.key)
    throw new RangeError('Too many entries wait already.')
  }
}
