import { type FacetGroup, facetGroups } from './facets'
import { listLineBegins, WordBeginnings } from './word-beginnings'
import { fold } from './words'

/** An option and how many courses of the catalogue have it. */
type Counted = { value: string; count: number }

/** The options of one group and segment, those with the most courses first, as the lines of one text. */
class OptionLines {
  /** Lines of name, tab and courses. */
  readonly #text: string
  #found: { lines: Int32Array; names: WordBeginnings } | null = null

  constructor(lines: string) {
    this.#text = lines && `${lines}\n`
  }

  /** 0 also for an unknown one. */
  countOf(value: string): number {
    const { names } = this.#read()
    const options = names.list(`${fold(value)}\t`, Number.POSITIVE_INFINITY).map((line) => this.#optionOf(line))
    return options.find((option) => option.value === value)?.count ?? 0
  }

  listFirst(most: number): Counted[] {
    return this.#text.split('\n', most).filter(Boolean).map(readOption)
  }

  /** Options of which a word begins with what was typed. */
  listBeginning(typed: string, most: number): Counted[] {
    return this.#read()
      .names.list(typed, most)
      .map((line) => this.#optionOf(line))
  }

  #read() {
    this.#found ??= { lines: listLineBegins(this.#text), names: new WordBeginnings(fold(this.#text)) }
    return this.#found
  }

  #optionOf(line: number): Counted {
    const begin = this.#read().lines[line] as number
    return readOption(this.#text.slice(begin, this.#text.indexOf('\n', begin)))
  }
}

function readOption(line: string): Counted {
  const tab = line.indexOf('\t')
  return { value: line.slice(0, tab), count: Number(line.slice(tab + 1)) }
}

/** All options of one group of filters. */
export class OptionList {
  readonly #segments: readonly OptionLines[]

  constructor(segments: readonly OptionLines[]) {
    this.#segments = segments
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

/** The options of a segment. */
export type Options = Record<FacetGroup, OptionLines>

/** @param text as `IndexBuilder.options` gives it: each group's lines after its name, with an empty line between. */
export function readOptions(text: string): Options {
  const parts = text.split('\n\n').map((part) => [part.split('\n', 1)[0], part.slice(part.indexOf('\n') + 1)] as const)
  const lines = new Map(parts)
  return Object.fromEntries(facetGroups.map((group) => [group, new OptionLines(lines.get(group) ?? '')])) as Options
}

export function joinOptions(segments: readonly Options[]): Record<FacetGroup, OptionList> {
  const lists = facetGroups.map((group) => [group, new OptionList(segments.map((options) => options[group]))])
  return Object.fromEntries(lists)
}
