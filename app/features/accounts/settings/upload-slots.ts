/**
 * Uploads that are being read, each of which takes up to 12 MB of memory: one an account, a few in all. Others are not
 * read, and wait in nobody's memory.
 */
export class UploadSlots {
  #uids = new Set<string>()

  constructor(private max: number) {}

  /** @returns null without having begun when no slot is free. */
  async use<Result>(uid: string, read: () => Promise<Result>): Promise<Result | null> {
    if (this.#uids.has(uid) || this.#uids.size >= this.max) return null
    this.#uids.add(uid)
    try {
      return await read()
    } finally {
      this.#uids.delete(uid)
    }
  }
}
