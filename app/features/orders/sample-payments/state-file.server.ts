import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

/** A small state in a file of JSON, which several processes on a machine share. */
export class StateFile<State> {
  readonly #file: string
  readonly #empty: () => State
  /** Stays open, so that no other file gets its number: each writing makes another file, whose number tells of it. */
  #known: { handle: number; inode: number; state: State } | null = null

  constructor(file: string, empty: () => State) {
    this.#file = file
    this.#empty = empty
  }

  /** Read again only after it was written by another process. */
  read(): State {
    const now = statSync(this.#file, { throwIfNoEntry: false })
    if (!now) return this.#empty()
    if (this.#known?.inode === now.ino) return this.#known.state
    const handle = openSync(this.#file, 'r')
    return this.#know(handle, JSON.parse(readFileSync(handle, 'utf8')))
  }

  /**
   * Written whole and renamed: a kill leaves the former state or the new one. The draft is the lock, too: only one process
   * has it at a time, so that no change of another is lost.
   */
  change<T>(change: (state: State) => T): T {
    const draft = `${this.#file}.new`
    mkdirSync(path.dirname(draft), { recursive: true })
    const handle = openAlone(draft)
    try {
      const state = this.read()
      const result = change(state)
      writeFileSync(handle, JSON.stringify(state))
      this.#know(handle, state)
      renameSync(draft, this.#file)
      return result
    } catch (error) {
      if (this.#known?.handle !== handle) closeSync(handle)
      // It may be half changed.
      this.#forget()
      rmSync(draft, { force: true })
      throw error
    }
  }

  #know(handle: number, state: State): State {
    this.#forget()
    this.#known = { handle, inode: fstatSync(handle).ino, state }
    return state
  }

  #forget(): void {
    if (this.#known) closeSync(this.#known.handle)
    this.#known = null
  }
}

/** A change takes milliseconds: what is older was left by a kill. */
const leftBehindMs = 10_000
const pauseMs = 2

/** Makes a file that isn't there, once no other process has it. */
function openAlone(file: string): number {
  for (;;) {
    try {
      return openSync(file, 'wx', 0o600)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const other = statSync(file, { throwIfNoEntry: false })
    if (other && Date.now() - other.mtimeMs > leftBehindMs) rmSync(file, { force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
  }
}
