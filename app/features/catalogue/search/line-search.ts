import { LRUCache } from 'lru-cache'

type Wanted = {
  /** The line begins with the piece. */
  opens?: boolean
  /** The line ends with the piece. */
  closes?: boolean
  /** Gives no more than so many. */
  most?: number
}

/** Searches that are narrowed down or go on to the next page have the same pieces. */
const mostKnown = 50

/** Many short texts as the lines of one, so that one native search finds a piece in all of them. */
export class LineSearch {
  readonly #joined: string
  readonly #known = new LRUCache<string, readonly string[]>({ max: mostKnown })

  constructor(lines: string) {
    this.#joined = `\n${lines}\n`
  }

  listContaining(
    piece: string,
    { opens = false, closes = false, most = Number.POSITIVE_INFINITY }: Wanted = {},
  ): readonly string[] {
    const sought = `${opens ? '\n' : ''}${piece}${closes ? '\n' : ''}`
    const key = `${most} ${sought}`
    const lines = this.#known.get(key) ?? this.#find(sought, opens, most)
    this.#known.set(key, lines)
    return lines
  }

  #find(sought: string, opens: boolean, most: number): string[] {
    const found: string[] = []
    for (let at = this.#joined.indexOf(sought); at !== -1 && found.length < most; ) {
      const begin = this.#joined.lastIndexOf('\n', opens ? at : at - 1) + 1
      const end = this.#joined.indexOf('\n', Math.max(begin, at + 1))
      found.push(this.#joined.slice(begin, end))
      at = this.#joined.indexOf(sought, end)
    }
    return found
  }
}
