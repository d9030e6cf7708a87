import type { EntryStore, OutboxEntry } from '~/outbox/entry-store'

/** The storage of a browser. Without `isAvailable`, it fails as in a private window. */
export class MemoryEntryStore implements EntryStore {
  readonly entries = new Map<string, OutboxEntry>()
  isAvailable = true

  async put(entry: OutboxEntry) {
    this.#requireAvailable()
    this.entries.set(entry.key, structuredClone(entry))
  }

  async list() {
    this.#requireAvailable()
    return [...this.entries.values()]
  }

  async remove({ key, version }: Pick<OutboxEntry, 'key' | 'version'>) {
    if (this.entries.get(key)?.version === version) {
      this.entries.delete(key)
    }
  }

  #requireAvailable() {
    if (!this.isAvailable) {
      throw new Error('This browser has no storage.')
    }
  }
}
