/**
 * Knows which files of a folder were generated here. A list in the folder has the hash of each
 * generated file. Every other file, and every file with another hash, belongs to the operator and
 * is never touched.
 */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Files that are generated together, for example the pictures of a cover. */
export type Artwork = {
  name: string
  /** The course of a video. */
  course?: string
  /** The text from which the files are drawn. The files are outdated once the text has changed. */
  source: string
  /** The paths of the files in the folder. */
  files: string[]
  /** Writes the files into an empty folder, by their names without a path. */
  generate(folder: string): Promise<unknown>
}

/** The status of a file. `yours` is a file that was not generated here. */
export type FileStatus = 'missing' | 'yours' | 'current' | 'outdated'

export class GeneratedFiles {
  readonly #folder: string
  readonly #listFile: string
  #entries: Record<string, { source: string; hash: string }> = {}

  private constructor(folder: string, listFile: string) {
    this.#folder = folder
    this.#listFile = listFile
  }

  /** @param listFile the path of the list. A missing list counts as empty. */
  static async open(folder: string, listFile: string): Promise<GeneratedFiles> {
    const generatedFiles = new GeneratedFiles(folder, listFile)
    const list = await readFile(listFile, 'utf8').catch(() => '{}')
    generatedFiles.#entries = JSON.parse(list)

    return generatedFiles
  }

  /** Returns the status of each file of an artwork, and whether the artwork has to be generated. */
  async inspect({
    source,
    files,
  }: Artwork): Promise<{ statusByFile: Record<string, FileStatus>; isNeeded: boolean }> {
    const statusByFile: Record<string, FileStatus> = {}
    for (const file of files) {
      statusByFile[file] = await this.#getStatus(file, computeHash(source))
    }

    const statuses = Object.values(statusByFile)
    // If one file of a video belongs to the operator, the whole video does.
    const isOperators = statuses.includes('yours')
    const isCurrent = statuses.every((status) => status === 'current')

    return { statusByFile, isNeeded: !isOperators && !isCurrent }
  }

  async #getStatus(file: string, sourceHash: string): Promise<FileStatus> {
    const bytes = await readFile(path.join(this.#folder, file)).catch(() => null)
    if (!bytes) {
      return 'missing'
    }

    const entry = this.#entries[file]
    if (!entry || entry.hash !== computeHash(bytes)) {
      return 'yours'
    }

    return entry.source === sourceHash ? 'current' : 'outdated'
  }

  /**
   * Generates the files of an artwork in a temporary folder, and then moves them to their places.
   * If drawing fails or is stopped, no file is changed.
   */
  async generate({ source, files, generate }: Artwork): Promise<void> {
    const temporaryFolder = await mkdtemp(path.join(tmpdir(), 'learnify-media-'))
    try {
      await generate(temporaryFolder)

      for (const file of files) {
        const newFile = path.join(temporaryFolder, path.basename(file))
        const target = path.join(this.#folder, file)
        await mkdir(path.dirname(target), { recursive: true })
        await copyFile(newFile, `${target}.part`)
        await rename(`${target}.part`, target)

        const hash = computeHash(await readFile(newFile))
        this.#entries[file] = { source: computeHash(source), hash }
      }

      await this.#saveList()
    } finally {
      await rm(temporaryFolder, { recursive: true, force: true })
    }
  }

  async #saveList(): Promise<void> {
    const sortedEntries = Object.fromEntries(
      Object.entries(this.#entries).sort(([a], [b]) => (a < b ? -1 : 1)),
    )
    await writeFile(`${this.#listFile}.part`, `${JSON.stringify(sortedEntries, null, 2)}\n`)
    await rename(`${this.#listFile}.part`, this.#listFile)
  }
}

function computeHash(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex').slice(0, 32)
}
