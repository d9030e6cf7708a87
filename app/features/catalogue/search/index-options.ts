import { type FacetGroup, facetGroups } from './facets'
import { fold } from './words'

/** All options of one group of filters, the one with the most courses first. */
export class OptionList {
  readonly values: string[]
  readonly #counts: Map<string, number>
  /** Folded, each word after a space and each option on a line, so that one native search goes through all. */
  #joined: string | null = null
  #starts: Int32Array | null = null

  constructor(counts: Map<string, number>) {
    this.#counts = counts
    this.values = [...counts.keys()].sort((a, b) => this.countOf(b) - this.countOf(a) || (a < b ? -1 : 1))
  }

  /** Courses of the catalogue that have it; 0 also for an unknown one. */
  countOf(value: string): number {
    return this.#counts.get(value) ?? 0
  }

  /** Options of which a word begins with what was typed, the one with the most courses first. */
  listBeginning(typed: string, most: number): string[] {
    if (this.#joined === null || this.#starts === null) {
      const lines = this.values.map((value) => ` ${fold(value)}\n`)
      this.#joined = lines.join('')
      this.#starts = new Int32Array(lines.length)
      for (let index = 1; index < lines.length; index++)
        this.#starts[index] = (this.#starts[index - 1] as number) + (lines[index - 1] as string).length
    }
    const found: string[] = []
    const sought = ` ${typed}`
    for (let at = this.#joined.indexOf(sought); at !== -1 && found.length < most; ) {
      found.push(this.values[this.#lineAt(this.#starts, at)] as string)
      at = this.#joined.indexOf(sought, this.#joined.indexOf('\n', at))
    }
    return found
  }

  #lineAt(starts: Int32Array, at: number): number {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((starts[middle] as number) <= at) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** @param segments lines as `IndexBuilder.options` gives them, a text for each segment. */
export function readOptions(segments: readonly string[]): Record<FacetGroup, OptionList> {
  const counts = Object.fromEntries(facetGroups.map((group) => [group, new Map<string, number>()]))
  for (const lines of segments) {
    for (const line of lines === '' ? [] : lines.split('\n')) {
      const [group = '', value = '', count] = line.split('\t')
      counts[group]?.set(value, (counts[group].get(value) ?? 0) + Number(count))
    }
  }
  return Object.fromEntries(facetGroups.map((group) => [group, new OptionList(counts[group] ?? new Map())])) as Record<
    FacetGroup,
    OptionList
  >
}
