/**
 * What of a folder's files was made here: a list of their hashes, kept in the folder. Whatever
 * differs from it was made or changed by somebody else, and is never touched.
 */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** What is made in one go, for example the pictures of a cover. */
export type Thing = {
  name: string
  /** Of a film. */
  course?: string
  /** The text that it is drawn from; another text wants it made again. */
  source: string
  /** Paths in the folder. */
  files: string[]
  /** Writes the files into an empty folder, under their last names. */
  make(folder: string): Promise<unknown>
}
/** Of a file: `yours` is one that the program didn't write. */
export type FileState = 'missing' | 'yours' | 'current' | 'outdated'

const hashOf = (data: string | Buffer) =>
  createHash('sha256').update(data).digest('hex').slice(0, 32)

export class MadeFiles {
  readonly #folder: string
  readonly #list: string
  #made: Record<string, { source: string; hash: string }> = {}

  constructor(folder: string, list: string) {
    this.#folder = folder
    this.#list = list
  }

  /** @param list path of the list; empty while there is none. */
  static async open(folder: string, list: string): Promise<MadeFiles> {
    const files = new MadeFiles(folder, list)
    const text = await readFile(list, 'utf8').catch(() => '{}')
    files.#made = JSON.parse(text)

    return files
  }

  /** @returns its files by what is true of each, and whether there is anything to make. */
  async look({
    source,
    files,
  }: Thing): Promise<{ states: Record<string, FileState>; wanted: boolean }> {
    const states: Record<string, FileState> = {}
    for (const file of files) {
      states[file] = await this.#stateOf(file, hashOf(source))
    }

    const found = Object.values(states)

    // A film of which one file is somebody else's is somebody else's film.
    return {
      states,
      wanted: !found.includes('yours') && found.some((state) => state !== 'current'),
    }
  }

  async #stateOf(file: string, source: string): Promise<FileState> {
    const bytes = await readFile(path.join(this.#folder, file)).catch(() => null)
    if (!bytes) {
      return 'missing'
    }

    const made = this.#made[file]
    if (!made || made.hash !== hashOf(bytes)) {
      return 'yours'
    }

    return made.source === source ? 'current' : 'outdated'
  }

  /** All of its files or none: a run that is stopped leaves no half film behind. */
  async make({ source, files, make }: Thing): Promise<void> {
    const workshop = await mkdtemp(path.join(tmpdir(), 'learnify-media-'))
    try {
      await make(workshop)
      for (const file of files) {
        const target = path.join(this.#folder, file)
        const fresh = path.join(workshop, path.basename(file))
        await mkdir(path.dirname(target), { recursive: true })
        await copyFile(fresh, `${target}.part`)
        await rename(`${target}.part`, target)
        this.#made[file] = { source: hashOf(source), hash: hashOf(await readFile(fresh)) }
      }

      await this.#save()
    } finally {
      await rm(workshop, { recursive: true, force: true })
    }
  }

  async #save(): Promise<void> {
    const sorted = Object.fromEntries(
      Object.entries(this.#made).sort(([a], [b]) => (a < b ? -1 : 1)),
    )
    await writeFile(`${this.#list}.part`, `${JSON.stringify(sorted, null, 2)}\n`)
    await rename(`${this.#list}.part`, this.#list)
  }
}
