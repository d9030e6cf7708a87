import type { EntryStore, OutboxEntry } from './entry-store'

/**
 * The entries of the outbox: those in the browser's storage and, while it has none or does not
 * respond, those in the page's memory.
 */
export class OutboxEntries {
  readonly #store: EntryStore
  /** The entries that the store does not have, or not yet, by their keys. */
  readonly #memoryEntries = new Map<string, OutboxEntry>()

  constructor(store: EntryStore) {
    this.#store = store
  }

  /** @returns whether the browser's storage has the entry, not only this page */
  async put(entry: OutboxEntry): Promise<boolean> {
    this.#memoryEntries.set(entry.key, entry)
    try {
      await this.#store.put(entry)
    } catch {
      return false
    }

    this.#removeFromMemory(entry)
    return true
  }

  /** Returns the entries of all kinds, oldest first. */
  async list(): Promise<OutboxEntry[]> {
    const entriesByKey = new Map<string, OutboxEntry>()

    const storedEntries = await this.#store.list().catch(() => [])
    for (const entry of storedEntries) {
      entriesByKey.set(entry.key, entry)
    }

    // An entry in memory is newer than the stored entry with the same key.
    for (const entry of this.#memoryEntries.values()) {
      entriesByKey.set(entry.key, entry)
    }

    return [...entriesByKey.values()].sort((a, b) => a.putAt - b.putAt)
  }

  /** Removes an entry, unless a later entry with the same key has replaced it. */
  async remove(entry: Pick<OutboxEntry, 'key' | 'version'>): Promise<void> {
    this.#removeFromMemory(entry)
    await this.#store.remove(entry).catch(() => {})
  }

  #removeFromMemory({ key, version }: Pick<OutboxEntry, 'key' | 'version'>): void {
    if (this.#memoryEntries.get(key)?.version === version) {
      this.#memoryEntries.delete(key)
    }
  }

  /** Gives an entry another body, unless a later entry with the same key has replaced it. */
  async updateBody(entry: OutboxEntry, body: unknown): Promise<void> {
    const entries = await this.list()
    const currentEntry = entries.find(({ key }) => key === entry.key)
    if (currentEntry?.version === entry.version) {
      await this.put({ ...entry, body })
    }
  }
}
