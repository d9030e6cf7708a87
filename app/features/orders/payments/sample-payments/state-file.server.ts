import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A small state in a file of JSON, which several processes on a machine share. */
export class StateFile<State> {
  #known: { version: string; state: State } | null = null

  constructor(
    private readonly file: string,
    private readonly empty: () => State,
  ) {}

  /** Read again only after it was written by another process. */
  read(): State {
    const version = this.#version()
    if (version === null) {
      return this.empty()
    }

    if (this.#known?.version !== version) {
      this.#known = { version, state: JSON.parse(readFileSync(this.file, 'utf8')) }
    }

    return this.#known.state
  }

  /** Written whole and renamed: a kill leaves the former state or the new one. */
  change<T>(change: (state: State) => T): T {
    const state = this.read()
    this.#known = null
    const result = change(state)
    const draft = `${this.file}.new`
    mkdirSync(path.dirname(draft), { recursive: true })
    writeFileSync(draft, JSON.stringify(state), { mode: 0o600 })
    renameSync(draft, this.file)
    const version = this.#version()
    if (version) {
      this.#known = { version, state }
    }

    return result
  }

  /** Each writing makes another file. */
  #version(): string | null {
    const stat = statSync(this.file, { bigint: true, throwIfNoEntry: false })
    return stat ? `${stat.ino} ${stat.mtimeNs}` : null
  }
}
