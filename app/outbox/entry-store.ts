import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/** Something that waits in this browser: to be sent, or, if it is a draft, to be finished. */
export type Entry<Body = unknown> = {
  /** A later entry with the same key replaces the earlier one. */
  key: string
  kind: string
  /**
   * The learner it belongs to; null for a visitor's, which goes to the first account that signs in.
   */
  uid: string | null
  body: Body
  /** In milliseconds since 1970, by this device's clock. */
  putAt: number
  /** Tells this entry from another one with the same key. */
  version: number
}

export type EntryStore = {
  put(entry: Entry): Promise<void>
  list(): Promise<Entry[]>
  /** Does nothing if the entry was replaced meanwhile. */
  remove(entry: Pick<Entry, 'key' | 'version'>): Promise<void>
}

/** Far more than one browser gathers while it is offline. */
const mostEntries = 2_000
/** Characters of JSON; the longest progress report has about a third of this. */
const longestBody = 300_000

const databaseName = 'learnify-outbox'
const storeName = 'entries'

interface OutboxDatabase extends DBSchema {
  [storeName]: { key: string; value: Entry }
}

/** Entries in IndexedDB: they survive a closed tab and a restarted browser. */
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
  if (JSON.stringify(entry.body).length > longestBody) {
    throw new RangeError('The entry is too long.')
  }

  const transaction = database.transaction(storeName, 'readwrite')
  const putting = transaction.store.put(entry)
  const counting = transaction.store.count()
  // Committed without waiting for the answers, so that it is also done when the tab is being
  // closed.
  transaction.commit()
  const [count] = await Promise.all([counting, putting, transaction.done])
  if (count <= mostEntries) {
    return
  }

  await database.delete(storeName, entry.key)
  throw new RangeError('Too many entries wait already.')
}
