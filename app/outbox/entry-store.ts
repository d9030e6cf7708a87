import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/** An entry waits in this browser until it is sent or, if it is a draft, until it is finished. */
export type Entry<Body = unknown> = {
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
  /** Tells this entry from another one with the same key. */
  version: number
}

export type EntryStore = {
  put(entry: Entry): Promise<void>
  list(): Promise<Entry[]>
  /** Removes an entry, unless a later entry with the same key has replaced it. */
  remove(entry: Pick<Entry, 'key' | 'version'>): Promise<void>
}

/** The limit is far above what one browser gathers while it is offline. */
const maxEntries = 2_000
/** The limit in characters of JSON. The longest progress report has about a third of it. */
const maxBodyLength = 300_000

const databaseName = 'learnify-outbox'
const storeName = 'entries'

interface OutboxDatabase extends DBSchema {
  [storeName]: { key: string; value: Entry }
}

/** Stores entries in IndexedDB, where they survive a closed tab and a restarted browser. */
export function browserEntryStore(): EntryStore {
  let opening: Promise<IDBPDatabase<OutboxDatabase>> | undefined
  const forgetConnection = () => {
    opening = undefined
  }
  const open = () =>
    openDB<OutboxDatabase>(databaseName, 1, {
      upgrade: (created) => void created.createObjectStore(storeName, { keyPath: 'key' }),
      terminated: forgetConnection,
    })
  const connect = () => {
    opening ??= open()
    // A failed opening is tried again at the next use.
    opening.catch(forgetConnection)
    return opening
  }

  return {
    async put(entry) {
      await putInto(await connect(), entry)
    },
    async list() {
      return (await connect()).getAll(storeName)
    },
    async remove({ key, version }) {
      const transaction = (await connect()).transaction(storeName, 'readwrite')
      const stored = await transaction.store.get(key)
      if (stored?.version === version) {
        await transaction.store.delete(key)
      }

      await transaction.done
    },
  }
}

/** @throws if the entry exceeds the limits, or the browser gives no more room. */
async function putInto(database: IDBPDatabase<OutboxDatabase>, entry: Entry): Promise<void> {
  if (JSON.stringify(entry.body).length > maxBodyLength) {
    throw new RangeError('The entry is too long.')
  }

  const transaction = database.transaction(storeName, 'readwrite')
  const putting = transaction.store.put(entry)
  const counting = transaction.store.count()
  // The commit does not wait for the two results, so that it also happens while the tab closes.
  transaction.commit()
  const [count] = await Promise.all([counting, putting, transaction.done])
  if (count <= maxEntries) {
    return
  }

  await database.delete(storeName, entry.key)
  throw new RangeError('Too many entries wait already.')
}
