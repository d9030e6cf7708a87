import { sitemapPartLength } from '../sitemap'
import { writeColumn } from './column-bytes'
import { listOptions } from './course-options'
import { facetGroups } from './facets'
import { writeOptions } from './index-options'
import { packSets } from './packed-sets'
import { SetWriter } from './set-bytes'
import { SetMemory } from './set-memory'
import { SetPool } from './set-pool'
import { listUnions } from './word-unions'
import { fold, listSeams, listWords } from './words'

/** A change of what is stored counts up, so that a start builds the index anew. */
export const indexFormat = 8

/** What a search knows of a course. */
export type IndexedCourse = {
  id: string
  title: string
  summary: string
  instructorName: string
  subtitle: string
  skills: readonly string[]
  lessonTitles: readonly string[]
  category: string
  level: string
  language: string
  rating: number
  durationHours: number
  priceCents: number
  students: number
  /** Like 2026-11-20. */
  lastUpdated: string
  inCatalogue: boolean
}

/** Where a word stands: in the title, else in the summary or the instructor's name, else only in what is less important. */
export const wordKinds = ['title', 'main', 'other'] as const
export type WordKind = (typeof wordKinds)[number]

/** What a list can be ordered by: smaller keys first. */
const orderKeys = {
  students: ({ students }: IndexedCourse) => -students,
  rated: ({ rating }: IndexedCourse) => -Math.round(rating * 10),
  newest: ({ lastUpdated }: IndexedCourse) => -Math.floor(Date.parse(lastUpdated) / 86_400_000),
  price: ({ priceCents }: IndexedCourse) => priceCents,
} as const
export type Order = keyof typeof orderKeys
export const orders = Object.keys(orderKeys) as Order[]

export type StoredSet = { kind: string; name: string; members: Buffer }

/** The kind of the piece with all sets of a kind, which has that kind's name. */
export const packedKind = 'packed'
/** What a page offers by the names in its cards: another dozen of many for each search. */
const packedKinds = ['skill', 'instructor']

/** Makes a segment of the index from courses in order of popularity. */
export class IndexBuilder {
  readonly ids: string[] = []
  readonly #sets = new Map<string, Map<string, SetWriter>>()
  /** Of each part of the sitemap, which lists so many places: when a course of the catalogue in it changed last. */
  readonly #sitemapDates: string[] = []
  #memory: SetMemory | null = null
  readonly #keys = Object.fromEntries(Object.keys(orderKeys).map((order) => [order, [] as number[]]))

  /** @returns how many courses there are now. */
  add(course: IndexedCourse): number {
    const place = this.ids.push(course.id) - 1
    this.#addWords(course, place)
    if (course.inCatalogue) this.#put('listed', '', place)
    this.#addDate(course, place)
    this.#addOptions(course, place)
    for (const [order, keyOf] of Object.entries(orderKeys)) this.#keys[order]?.push(keyOf(course))
    return this.ids.length
  }

  #addDate({ inCatalogue, lastUpdated }: IndexedCourse, place: number): void {
    const part = Math.floor(place / sitemapPartLength)
    const date = this.#sitemapDates[part] ?? ''
    this.#sitemapDates[part] = inCatalogue && lastUpdated > date ? lastUpdated : date
  }

  #addWords(course: IndexedCourse, place: number): void {
    const title = fold(course.title)
    const main = fold(`${course.summary}\n${course.instructorName}`)
    const other = fold([course.subtitle, ...course.skills, ...course.lessonTitles].join('\n'))
    const seen = new Set<string>()
    for (const [index, text] of [title, main, other].entries()) {
      for (const word of listWords(text)) {
        if (seen.has(word)) continue
        seen.add(word)
        this.#put(wordKinds[index] as WordKind, word, place)
      }
    }
    for (const text of [title, main]) for (const seam of listSeams(text)) this.#put('seam', seam, place)
  }

  #addOptions(course: IndexedCourse, place: number): void {
    for (const [group, name] of listOptions(course)) this.#put(group, name, place)
  }

  #put(kind: string, name: string, place: number): void {
    const names = this.#sets.get(kind) ?? new Map<string, SetWriter>()
    const set = names.get(name) ?? new SetWriter()
    if (set.count === 0) this.#sets.set(kind, names.set(name, set))
    set.add(place)
  }

  /** Lines of a word, in how many courses it is in the searched fields, and in how many only elsewhere. */
  get words(): string {
    return this.#listWords()
      .map((word) => `${word} ${this.#count('title', word) + this.#count('main', word)} ${this.#count('other', word)}`)
      .join('\n')
  }

  /** The options of each group and how many courses of the catalogue have them, as `readOptions` takes them. */
  get options(): string {
    const pool = this.#openPool()
    const listed = pool.make()
    this.#sets
      .get('listed')
      ?.get('')
      ?.visit((place) => listed.add(place))
    const countListed = (set: SetWriter) => {
      let count = 0
      set.visit((place) => {
        if (listed.has(place)) count++
      })
      return count
    }
    const groups = facetGroups.flatMap((group) => {
      const options = [...(this.#sets.get(group) ?? [])].map(([name, set]) => [name, countListed(set)] as const)
      return options.length > 0 ? [`${group}\n${writeOptions(options)}`] : []
    })
    pool.end()
    return groups.join('\n\n')
  }

  /** Every set to be stored. */
  *sets(): Generator<StoredSet> {
    const places = this.ids.length
    for (const [kind, names] of this.#sets) {
      if (packedKinds.includes(kind)) yield { kind: packedKind, name: kind, members: packSets(finish(names, places)) }
      else for (const [name, members] of finish(names, places)) yield { kind, name, members }
    }
    const words = this.#listWords()
    for (const [prefix, union] of listUnions(words, 'begin')) {
      for (const kind of wordKinds) yield this.#union(`begin:${kind}`, prefix, union, [kind])
    }
    for (const [piece, union] of listUnions(words, 'piece')) yield this.#union('piece', piece, union, ['title', 'main'])
    const seams = this.#listSeams()
    for (const [piece, union] of listUnions(seams, 'piece'))
      if (isSeamOfSearch(piece)) yield this.#union('seam-piece', piece, union, ['seam'])
    yield { kind: 'seams', name: '', members: Buffer.from(seams.join('\n')) }
    yield { kind: 'sitemap', name: '', members: Buffer.from(this.#sitemapDates.join('\n')) }
    yield* this.#orders()
  }

  *#orders(): Generator<StoredSet> {
    for (const [order, keys] of Object.entries(this.#keys)) {
      const sorted = Int32Array.from(new Set(keys)).sort()
      const numbers = new Map(Array.from(sorted, (key, number) => [key, number]))
      yield { kind: 'order', name: order, members: writeColumn(keys.map((key) => numbers.get(key) ?? 0)) }
      yield { kind: 'order-keys', name: order, members: Buffer.from(sorted.buffer) }
    }
  }

  #union(kind: string, name: string, words: readonly string[], of: readonly (WordKind | 'seam')[]): StoredSet {
    const pool = this.#openPool()
    const union = pool.make()
    for (const part of of)
      for (const word of words)
        this.#sets
          .get(part)
          ?.get(word)
          ?.visit((place) => union.add(place))
    const writer = new SetWriter()
    for (const place of union.list()) writer.add(place)
    pool.end()
    return { kind, name, members: writer.finish(this.ids.length) }
  }

  /** Once all courses are there. */
  #openPool(): SetPool {
    this.#memory ??= new SetMemory(this.ids.length)
    return new SetPool(this.#memory)
  }

  #count(kind: WordKind, word: string): number {
    return this.#sets.get(kind)?.get(word)?.count ?? 0
  }

  #listWords(): string[] {
    return [...new Set(wordKinds.flatMap((kind) => [...(this.#sets.get(kind)?.keys() ?? [])]))].sort()
  }

  #listSeams(): string[] {
    return [...(this.#sets.get('seam')?.keys() ?? [])].sort()
  }
}

function* finish(sets: ReadonlyMap<string, SetWriter>, places: number): Generator<[name: string, members: Buffer]> {
  for (const [name, set] of sets) yield [name, set.finish(places)]
}

/** Nothing in a search is found by letters alone in a seam, and no search begins or ends with a space. */
function isSeamOfSearch(piece: string): boolean {
  return piece.trim() === piece && listSeams(piece).size > 0
}
