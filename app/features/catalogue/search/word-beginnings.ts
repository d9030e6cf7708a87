/** Folded lines of a name and, behind a tab, anything else, found by how the name's words begin: a million names fit into one text and its places, but into no map. */
export class WordBeginnings {
  readonly #text: string
  /** Where each line begins. */
  readonly #lines: Int32Array
  /** Where words begin, those with the same first two code units together, in order. */
  readonly #places: ReadonlyMap<number, Int32Array>

  /** @param text folded; each line ends with a line feed. */
  constructor(text: string) {
    this.#text = text
    this.#lines = listLineBegins(this.#text)
    this.#places = listWordBegins(this.#text)
  }

  /** The first lines in which a word begins with a folded text, by their numbers from 0, ascending. */
  list(text: string, most: number): number[] {
    const found = this.#placesOf(text).flatMap((places) => this.#firstLines(places, text, most))
    return [...new Set(found)].sort((a, b) => a - b).slice(0, most)
  }

  #placesOf(text: string): Int32Array[] {
    if (text.length > 1) return [this.#places.get(headAt(text, 0)) ?? new Int32Array()]
    return [...this.#places].filter(([head]) => head >>> 16 === text.charCodeAt(0)).map(([, places]) => places)
  }

  #firstLines(places: Int32Array, text: string, most: number): number[] {
    const lines = new Set<number>()
    for (const place of places) {
      if (lines.size === most) break
      if (this.#text.startsWith(text, place)) lines.add(lastUpTo(this.#lines, place))
    }
    return [...lines]
  }
}

/** Where the lines of a text begin, each of which ends with a line feed. */
export function listLineBegins(text: string): Int32Array {
  let count = 0
  for (let at = 0; at < text.length; at = text.indexOf('\n', at) + 1) count++
  const begins = new Int32Array(count)
  for (let at = 0, line = 0; at < text.length; at = text.indexOf('\n', at) + 1) begins[line++] = at
  return begins
}

/** Counts first, so that each head has an array that fits. */
function listWordBegins(text: string): Map<number, Int32Array> {
  const counts = new Map<number, number>()
  eachWordBegin(text, (head) => counts.set(head, (counts.get(head) ?? 0) + 1))
  const places = new Map([...counts].map(([head, count]) => [head, new Int32Array(count)]))
  counts.clear()
  eachWordBegin(text, (head, at) => {
    const found = counts.get(head) ?? 0
    ;(places.get(head) as Int32Array)[found] = at
    counts.set(head, found + 1)
  })
  return places
}

function eachWordBegin(text: string, see: (head: number, at: number) => void): void {
  let begins = true
  for (let at = 0; at < text.length - 1; at++) {
    if (begins) see(headAt(text, at), at)
    begins = isSign(text.charCodeAt(at))
  }
}

const tab = 0x09

/** Whether a word begins behind it: a sign of ASCII that is in no word; what follows a tab is no part of the name. */
function isSign(code: number): boolean {
  if (code >= 0x80 || code === tab) return false
  const isDigit = code >= 0x30 && code <= 0x39
  const isLetter = code >= 0x61 && code <= 0x7a
  return !isDigit && !isLetter
}

const headAt = (text: string, at: number) => (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1)

/** @returns the index of the last number that is not above `limit`; the numbers ascend. */
function lastUpTo(numbers: Int32Array, limit: number): number {
  let [low, high] = [0, numbers.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((numbers[middle] as number) <= limit) low = middle
    else high = middle - 1
  }
  return low
}
