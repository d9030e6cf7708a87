import { type FacetGroup, facetGroups } from './facets'
import { fold } from './words'

/** Each name folded, on a line; and by two letters where words begin so, the option with the most courses first. */
type FoldedLines = { text: string; begins: Int32Array; origins: Int32Array; words: Map<string, number[]> }

/** An option and how many courses of the catalogue have it. */
type Counted = { value: string; count: number }

/** At most so many options are asked for at once. */
const mostAsked = 100

/** The options of one group and segment as the lines of one text: a million instructors fit into it, but into no map. */
class OptionLines {
  /** Lines of name, tab and courses, the one with the most courses first. */
  readonly #text: string
  #folded: FoldedLines | null = null

  constructor(lines: string) {
    this.#text = `\n${lines}\n`
  }

  /** 0 also for an unknown one. */
  countOf(value: string): number {
    const { text, begins, origins, words } = this.#read()
    const folded = `${fold(value)}\n`
    for (const at of words.get(folded.slice(0, 2)) ?? []) {
      if (!text.startsWith(folded, at)) continue
      const line = lastUpTo(begins, at)
      const option = this.#optionAt(origins[line] as number)
      if (begins[line] === at && option.value === value) return option.count
    }
    return 0
  }

  listFirst(most: number): Counted[] {
    const found: Counted[] = []
    for (const begin of this.#begins()) {
      if (found.length === most) break
      found.push(this.#optionAt(begin))
    }
    return found
  }

  /** Options of which a word begins with what was typed. */
  listBeginning(typed: string, most: number): Counted[] {
    const { text, begins, origins, words } = this.#read()
    const found = new Set<number>()
    for (const at of words.get(typed.slice(0, 2)) ?? []) {
      if (text.startsWith(typed, at)) found.add(origins[lastUpTo(begins, at)] as number)
      if (found.size === most) break
    }
    return [...found].map((origin) => this.#optionAt(origin))
  }

  #read(): FoldedLines {
    this.#folded ??= this.#fold()
    return this.#folded
  }

  #fold(): FoldedLines {
    const origins = Int32Array.from(this.#begins())
    const begins = new Int32Array(origins.length)
    const words = new Map<string, number[]>()
    const lines: string[] = []
    let length = 0
    for (const [index, origin] of origins.entries()) {
      const line = `${fold(this.#nameAt(origin))}\n`
      begins[index] = length
      for (let at = 0; at >= 0 && at < line.length - 1; at = line.indexOf(' ', at) + 1 || -1) {
        for (const letters of new Set([line.slice(at, at + 1), line.slice(at, at + 2)])) {
          const places = words.get(letters) ?? []
          if (places.length === 0) words.set(letters, places)
          // One letter alone is found at once.
          if (letters.length > 1 || places.length < mostAsked) places.push(length + at)
        }
      }
      length += line.length
      lines.push(line)
    }
    return { text: lines.join(''), begins, origins, words }
  }

  *#begins(): Generator<number> {
    for (let at = 1; at < this.#text.length; at = this.#text.indexOf('\n', at) + 1)
      if (this.#text[at] !== '\n') yield at
  }

  #optionAt(begin: number): Counted {
    const value = this.#nameAt(begin)
    const from = begin + value.length + 1
    return { value, count: Number.parseInt(this.#text.slice(from, from + 10), 10) }
  }

  #nameAt(begin: number): string {
    return this.#text.slice(begin, this.#text.indexOf('\t', begin))
  }
}

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

/** All options of one group of filters. */
export class OptionList {
  readonly #segments: readonly OptionLines[]

  /** @param segments lines of name, tab and courses, a text for each segment. */
  constructor(segments: readonly string[]) {
    this.#segments = segments.map((lines) => new OptionLines(lines))
  }

  /** The options with the most courses, those first. */
  listFirst(most: number): Counted[] {
    return this.#commonest((lines) => lines.listFirst(most), most)
  }

  /** Options of which a word begins with what was typed, the one with the most courses first. */
  listBeginning(typed: string, most: number): Counted[] {
    return this.#commonest((lines) => lines.listBeginning(typed, most), most)
  }

  /** @param list the options of one segment, the one with the most courses first. */
  #commonest(list: (lines: OptionLines) => Counted[], most: number): Counted[] {
    const counts = new Map<string, number>()
    const found = this.#segments.map((lines) => ({ lines, own: list(lines) }))
    for (const { value } of found.flatMap(({ own }) => own)) {
      const inSegments = found.map(
        ({ lines, own }) => own.find((option) => option.value === value)?.count ?? lines.countOf(value),
      )
      counts.set(
        value,
        inSegments.reduce((sum, count) => sum + count, 0),
      )
    }
    return [...counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, most)
  }
}

/** As lines of an `OptionList`. */
export function writeOptions(counts: Iterable<readonly [value: string, courses: number]>): string {
  const sorted = [...counts].sort(([a, count], [b, other]) => other - count || (a < b ? -1 : 1))
  return sorted.map(([value, count]) => `${value}\t${count}`).join('\n')
}

/** @param segments texts as `IndexBuilder.options` gives them: each group's lines after its name, with an empty line between. */
export function readOptions(segments: readonly string[]): Record<FacetGroup, OptionList> {
  const groups = segments.map(
    (text) => new Map(text.split('\n\n').map((part) => [part.split('\n', 1)[0], part.slice(part.indexOf('\n') + 1)])),
  )
  const lists = facetGroups.map((group) => [group, new OptionList(groups.map((lines) => lines.get(group) ?? ''))])
  return Object.fromEntries(lists)
}
