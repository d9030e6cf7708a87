import type { CourseSet } from './course-set'
import type { WordKind } from './index-builder'
import type { SearchIndex } from './search-index.server'
import { planSearch, type Requirement, type Unit } from './search-plan'

/** The kinds of which a word has to be for its course to be shown, and those that help where no course is. */
export const shownKinds = ['title', 'main'] as const
const allKinds = [...shownKinds, 'other'] as const

/**
 * The courses that have all words of a search in texts of these kinds.
 *
 * @param units at least one.
 * @throws {IndexChanged}
 */
export async function findTogether(
  index: SearchIndex,
  units: readonly Unit[],
  kinds: readonly WordKind[],
): Promise<CourseSet> {
  if (!units.every((unit) => index.knows(unit))) return index.makeSet()
  const coursesOf = await readUnits(index, units, kinds)
  return units.map(coursesOf).reduce((all, set) => all.keep(set))
}

/**
 * How many courses a search for each of some texts shows, by their words alone. The texts begin with the same words, whose
 * courses are put together once.
 *
 * @throws {IndexChanged}
 */
export async function countTogether(index: SearchIndex, texts: readonly string[]): Promise<number[]> {
  const units = texts.map((text) => planSearch(text, index.synonyms).units)
  const known = units.filter((own) => own.every((unit) => index.knows(unit)))
  const shown = await countUnits(index, known, shownKinds)
  const others = known.filter((_, at) => shown[at] === 0)
  const mentioned = await countUnits(index, others, allKinds)
  return units.map((own) => shown[known.indexOf(own)] || (mentioned[others.indexOf(own)] ?? 0))
}

async function countUnits(index: SearchIndex, texts: readonly Unit[][], kinds: readonly WordKind[]): Promise<number[]> {
  const counter = new UnitCounter(await readUnits(index, texts.flat(), kinds))
  return texts.map((units) => counter.count(units))
}

/** @returns gives a set of its own with the courses that have all words of one of the alternatives. */
async function readUnits(
  index: SearchIndex,
  units: readonly Unit[],
  kinds: readonly WordKind[],
): Promise<(unit: Unit) => CourseSet> {
  const keysOf = (word: Requirement) => index.keysOfWord(word, kinds)
  const setOf = await index.read(units.flatMap(({ alternatives }) => alternatives.flat().flatMap(keysOf)))
  return ({ alternatives }) =>
    alternatives
      .map((words) => words.map((word) => setOf(keysOf(word))).reduce((all, set) => all.keep(set)))
      .reduce((any, set) => any.addAll(set))
}

/** Counts the courses that have several units, and knows what it has put together. */
class UnitCounter {
  readonly #known = new Map<string, CourseSet>()
  readonly #coursesOf: (unit: Unit) => CourseSet

  constructor(coursesOf: (unit: Unit) => CourseSet) {
    this.#coursesOf = coursesOf
  }

  count(units: readonly Unit[]): number {
    const last = units.at(-1)
    if (!last) return 0
    if (units.length === 1) return this.#all(units).size
    return this.#all(units.slice(0, -1)).countCommon(this.#all([last]))
  }

  /** Of at least one unit. */
  #all(units: readonly Unit[]): CourseSet {
    const key = JSON.stringify(units)
    const known = this.#known.get(key)
    if (known) return known
    const [last, before] = [units.at(-1) as Unit, units.slice(0, -1)]
    const found = before.length === 0 ? this.#coursesOf(last) : this.#all([last]).copy().keep(this.#all(before))
    this.#known.set(key, found)
    return found
  }
}
