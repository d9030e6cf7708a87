/** Many short texts as the lines of one, so that one native search finds a piece in all of them. */
export class LineSearch {
  readonly #joined: string

  constructor(lines: string) {
    this.#joined = `\n${lines}\n`
  }

  /** @param opens it begins with the piece. @param closes it ends with the piece. */
  listContaining(piece: string, { opens = false, closes = false } = {}): string[] {
    const sought = `${opens ? '\n' : ''}${piece}${closes ? '\n' : ''}`
    const found: string[] = []
    for (let at = this.#joined.indexOf(sought); at !== -1; ) {
      const begin = this.#joined.lastIndexOf('\n', opens ? at : at - 1) + 1
      const end = this.#joined.indexOf('\n', Math.max(begin, at + 1))
      found.push(this.#joined.slice(begin, end))
      at = this.#joined.indexOf(sought, end)
    }
    return found
  }
}
