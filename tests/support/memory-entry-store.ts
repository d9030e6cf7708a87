import type { Entry, EntryStore } from '~/outbox/entry-store'

/** A browser's storage; it can be switched off, as in a private window. */
export class MemoryEntryStore implements EntryStore {
  readonly entries = new Map<string, Entry>()
  isAvailable = true

  async put(entry: Entry) {
    if (!this.isAvailable) {
      throw new Error('No storage.')
    }

    this.entries.set(entry.key, structuredClone(entry))
  }

  async list() {
    if (!this.isAvailable) {
      throw new Error('No storage.')
    }

    return [...this.entries.values()]
  }

  async remove({ key, version }: Pick<Entry, 'key' | 'version'>) {
    if (this.entries.get(key)?.version === version) {
      this.entries.delete(key)
    }
  }
}
