import { type FileStore, fileNameOf } from '../files.server'
import type { AddEntry } from './backup-archive.server'
import type { Query } from './stored-tables.server'

const namesAtOnce = 1_000
const filesAtOnce = 8

/** The files that rows name: the learners' photos. */
export async function* listNamedFiles(sql: Query): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const rows = await sql.unsafe<{ id: string; image: string }[]>(
      'select id, image from users where image is not null and id > $1 order by id limit $2',
      [after, namesAtOnce],
    )
    for (const { image } of rows) {
      const name = fileNameOf(image)
      if (name) yield name
    }
    if (rows.length < namesAtOnce) return
    after = rows.at(-1)?.id ?? ''
  }
}

/** Puts the files that rows name into an archive, each once however often it is asked. */
export class NamedFiles {
  readonly #added = new Set<string>()
  /** Named, but not in the store. */
  #missing = new Set<string>()

  constructor(
    private files: FileStore,
    private add: AddEntry,
  ) {}

  get missing(): number {
    return this.#missing.size
  }

  /**
   * @returns false if a file was gone that had not been missing before: its learner has chosen another photo meanwhile, and
   *   the rows have to be asked again.
   */
  async addNew(sql: Query): Promise<boolean> {
    const missing = new Set<string>()
    let waiting: string[] = []
    const addWaiting = async () => {
      const read = await Promise.all(waiting.map(async (name) => ({ name, bytes: await this.files.read(name) })))
      waiting = []
      for (const { name, bytes } of read) {
        if (!bytes) missing.add(name)
        else {
          this.#added.add(name)
          await this.add(`files/${name}`, bytes)
        }
      }
    }
    for await (const name of listNamedFiles(sql)) {
      if (this.#added.has(name)) continue
      waiting.push(name)
      if (waiting.length >= filesAtOnce) await addWaiting()
    }
    await addWaiting()
    const isSettled = [...missing].every((name) => this.#missing.has(name))
    this.#missing = missing
    return isSettled
  }
}
