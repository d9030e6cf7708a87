import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Keeps a small state in a JSON file that several processes on a machine share. */
export class StateFile<State> {
  #cache: { version: string; state: State } | null = null

  constructor(
    private readonly file: string,
    private readonly createEmptyState: () => State,
  ) {}

  /** Returns the state. The file is read again only after another process has written it. */
  read(): State {
    const version = this.#getVersion()
    if (version === null) {
      return this.createEmptyState()
    }

    if (this.#cache?.version !== version) {
      this.#cache = { version, state: JSON.parse(readFileSync(this.file, 'utf8')) }
    }

    return this.#cache.state
  }

  /**
   * Changes the state and writes it. The file is written under another name and then renamed, so
   * that a crash leaves either the previous state or the new one.
   */
  change<T>(change: (state: State) => T): T {
    const state = this.read()
    // If `change` throws, the state may be changed in part, so the file has to be read again.
    this.#cache = null
    const result = change(state)

    const temporaryFile = `${this.file}.new`
    mkdirSync(path.dirname(temporaryFile), { recursive: true })
    writeFileSync(temporaryFile, JSON.stringify(state), { mode: 0o600 })
    renameSync(temporaryFile, this.file)

    const version = this.#getVersion()
    if (version !== null) {
      this.#cache = { version, state }
    }

    return result
  }

  /** Each write creates another file, so the inode and the time identify a version. */
  #getVersion(): string | null {
    const stat = statSync(this.file, { bigint: true, throwIfNoEntry: false })
    return stat ? `${stat.ino} ${stat.mtimeNs}` : null
  }
}
