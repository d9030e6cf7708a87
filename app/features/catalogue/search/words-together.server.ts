import { type CourseSet, countCommonBits } from './course-set'
import type { WordKind } from './index-builder'
import type { SearchIndex, SetKey } from './search-index.server'
import { planSearch, type Unit } from './search-plan'

/** The kinds of which a word has to be for its course to be shown, and those that help where no course is. */
const shownKinds = ['title', 'main'] as const
const allKinds = [...shownKinds, 'other'] as const

/**
 * How many courses a search for each of some texts shows, by their words alone. The texts begin with the same words, whose
 * courses are put together once.
 *
 * @throws {IndexChanged}
 */
export async function countTogether(index: SearchIndex, texts: readonly string[]): Promise<number[]> {
  const units = texts.map((text) => planSearch(text, index.synonyms).units)
  const keysOfUnit = (unit: Unit) => unit.alternatives.flat().flatMap((word) => index.keysOfWord(word, allKinds))
  const setOf = await index.read(units.flat().flatMap(keysOfUnit))
  const counterOf = (kinds: readonly WordKind[]) => new UnitCounter((unit) => coursesOf(unit, kinds, index, setOf))
  const [shown, all] = [counterOf(shownKinds), counterOf(allKinds)]
  return units.map((own) => shown.count(own) || all.count(own))
}

/** The courses that have all words of one of the alternatives. */
function coursesOf(
  { alternatives }: Unit,
  kinds: readonly WordKind[],
  index: SearchIndex,
  setOf: (keys: readonly SetKey[]) => CourseSet,
): CourseSet {
  return alternatives
    .map((words) => words.map((word) => setOf(index.keysOfWord(word, kinds))).reduce((all, set) => all.keep(set)))
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
    return countCommonBits(this.#all(units.slice(0, -1)).bits, this.#all([last]).bits)
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
