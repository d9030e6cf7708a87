import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { env } from '../env.server'
import { randomId } from '../random-id.server'
import type { ContentHashes, StampedHashes } from './content-hashes.server'

/** Count it up when stamps or hashes are made in another way. */
const format = 1
const kept = z.object({
  format: z.literal(format),
  folder: z.string(),
  courses: z.record(z.string(), z.tuple([z.string(), z.string()])),
})

/**
 * What this machine's course folders looked like when they were hashed: a start looks whether they still do instead of
 * reading them. Without the file it reads them.
 */
export class ContentStamps {
  readonly #file: string
  readonly #folder: string
  readonly hashes: StampedHashes

  /** @param folder the content's. */
  constructor(folder: string, file = path.join(env.DATA_DIR, 'content-stamps.json')) {
    this.#file = file
    this.#folder = path.resolve(folder)
    this.hashes = this.#read()
  }

  /** A disk that takes nothing only costs the next start its time. */
  keep({ stamped }: ContentHashes): void {
    if (
      stamped.size === this.hashes.size &&
      [...stamped].every(([id, { stamp }]) => this.hashes.get(id)?.stamp === stamp)
    )
      return
    const courses = Object.fromEntries([...stamped].map(([id, { stamp, hash }]) => [id, [stamp, hash]]))
    const unfinished = `${this.#file}.${randomId()}.tmp`
    try {
      writeFileSync(unfinished, JSON.stringify({ format, folder: this.#folder, courses }))
      renameSync(unfinished, this.#file)
    } catch {}
  }

  #read(): StampedHashes {
    try {
      const { folder, courses } = kept.parse(JSON.parse(readFileSync(this.#file, 'utf8')))
      if (folder !== this.#folder) return new Map()
      return new Map(Object.entries(courses).map(([id, [stamp, hash]]) => [id, { stamp, hash }]))
    } catch {
      return new Map()
    }
  }
}
