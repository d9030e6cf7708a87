import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Database } from '~/server/database/client.server'
import type { CourseSet } from './course-set'
import { mostNames } from './facets'
import { indexFormat, packedKind } from './index-builder'
import { readOptions } from './index-options'
import { LineSearch } from './line-search'
import { PackedSets } from './packed-sets'
import type { PlaceRanks } from './place-order'
import type { Matches } from './search-matches.server'
import { readSynonyms, type Synonyms } from './search-plan'
import { addKept, type KeptSet, keepStored, keptNothing, lookAtStored } from './set-bytes'
import { SetMemory } from './set-memory'
import { SetPool } from './set-pool'
import { Vocabulary } from './vocabulary'

/** A stored set: its segment, kind and name. */
export type SetKey = readonly [segment: string, kind: string, name: string]
export type SetRow = { segment: string; kind: string; name: string; members: Buffer }
type SegmentRow = { segment: string; version: string; courses: number; words: string; options: string; seams: string }
export type Segment = { name: string; offset: number; places: number; vocabulary: Vocabulary; seams: LineSearch }

const keptBytes = 6 * 1024 * 1024
const keptSearchBytes = 3 * 1024 * 1024
/** What a kept one takes besides its courses. */
const bytesOfKept = 200
const letterKind = 'begin:title'
/** Every answer looks at these few sets, and at those of the first languages. */
const lastingKinds = ['listed', 'category', 'level', 'rating', 'length', 'price']
/** All typing begins with a letter: those that most titles have; Chinese alone has thousands. */
const mostLetters = 40

export const idOf = (key: SetKey) => key.join('\t')

/** What a process keeps of a version of the index: its words and options, and the sets that were asked for last. */
export class KeptIndex {
  readonly segments: Segment[] = []
  readonly places: number = 0
  readonly synonyms: Synonyms
  readonly options: ReturnType<typeof readOptions>
  readonly db: Database
  readonly version: string
  readonly #letters = new Map<string, KeptSet>()
  /** By segment and kind. */
  readonly #packed = new Map<string, PackedSets>()
  readonly #lastingPool: SetPool
  readonly #lastingSets = new Map<string, CourseSet>()
  readonly #sets = new LRUCache<string, KeptSet>({
    maxSize: keptBytes,
    sizeCalculation: ({ byteLength }) => byteLength + bytesOfKept,
  })
  /** By what was searched: who narrows a search down, or goes on in its pages, asks for the same courses again. */
  readonly searches = new LRUCache<string, Matches<KeptSet>>({
    maxSize: keptSearchBytes,
    sizeCalculation: (matches) =>
      Object.values(matches).reduce((sum, { byteLength }) => sum + byteLength + bytesOfKept, 0),
  })
  /** What is being read now: whoever needs it, too, waits for the same answer. */
  readonly reading = new Map<string, Promise<ReadonlyMap<string, KeptSet>>>()
  readonly orders = new Map<string, Promise<PlaceRanks>>()
  readonly memory: SetMemory

  constructor(db: Database, rows: readonly SegmentRow[], synonyms: readonly { phrases: string[] }[]) {
    this.db = db
    this.version = rows.map(({ version }) => version).join()
    for (const { segment, courses, words, seams } of rows) {
      const found = { vocabulary: new Vocabulary(words), seams: new LineSearch(seams) }
      this.segments.push({ name: segment, offset: this.places, places: courses, ...found })
      this.places = (this.places + courses + 31) & ~31
    }
    this.memory = new SetMemory(this.places)
    this.#lastingPool = new SetPool(this.memory, { lasts: true })
    this.options = readOptions(rows.map(({ options }) => options))
    this.synonyms = readSynonyms(synonyms.map(({ phrases }) => phrases))
  }

  segmentOf(name: string): Segment {
    const segment = this.segments.find((each) => each.name === name)
    if (!segment) throw new RangeError(`There is no segment ${name}.`)
    return segment
  }

  findSet(key: SetKey): KeptSet | undefined {
    const [segment, kind, name] = key
    const packed = this.#packed.get(idOf([segment, packedKind, kind]))
    if (packed) return lookAtStored(packed.find(name) ?? keptNothing)
    const id = idOf(key)
    return this.#letters.get(id) ?? this.#sets.get(id)
  }

  keepSet(key: SetKey, set: KeptSet): void {
    this.#sets.set(idOf(key), set)
  }

  lastingSetOf(kind: string, name: string): CourseSet | undefined {
    return this.#lastingSets.get(`${kind}\t${name}`)
  }

  /** Before anybody asks the index. */
  addLasting({ segment, kind, name, members }: SetRow): void {
    const id = idOf([segment, kind, name])
    const { offset, places } = this.segmentOf(segment)
    if (kind === packedKind) this.#packed.set(id, new PackedSets(members))
    else if (kind === letterKind) this.#letters.set(id, keepStored(members, places))
    else {
      const option = `${kind}\t${name}`
      const known = this.#lastingSets.get(option) ?? this.#lastingPool.make()
      this.#lastingSets.set(option, known)
      addKept(known, keepStored(members, places), offset)
    }
  }
}

export async function readIndex(db: Database): Promise<KeptIndex> {
  const segments = await db.execute<SegmentRow>(
    sql`select search_segments.segment, version, courses, words, options, coalesce(convert_from(members, 'UTF8'), '') as seams
      from search_segments left join search_sets on search_sets.segment = search_segments.segment and kind = 'seams'
      where format = ${indexFormat} order by search_segments.segment`,
  )
  const synonyms = await db.execute<{ phrases: string[] }>(sql`select phrases from search_synonyms order by position`)
  const index = new KeptIndex(db, segments, synonyms)
  const languages = index.options.language.listFirst(mostNames).map(({ value }) => value)
  const lasting = await db.execute<SetRow & { version: string }>(
    sql`select segment, version, kind, name, members from search_segments join search_sets using (segment)
      where format = ${indexFormat} and (
        kind = any(${sql.param([...lastingKinds, packedKind])}::text[])
        or kind = 'language' and name = any(${sql.param(languages)}::text[])
        or kind = ${letterKind} and name in (
          select name from search_segments join search_sets using (segment)
          where format = ${indexFormat} and kind = ${letterKind} and length(name) = 1
          group by name order by sum(length(members)) desc limit ${mostLetters}::int))`,
  )
  // Of a version that came meanwhile nothing is taken: whoever asks this index next is told of it.
  const isKnown = (row: { segment: string; version: string }) =>
    segments.some(({ segment, version }) => segment === row.segment && version === row.version)
  for (const row of lasting) if (isKnown(row)) index.addLasting(row)
  return index
}

/** @returns what is kept under a name; it is read once, until that fails. */
export function readOnce<Value>(
  kept: Map<string, Promise<Value>>,
  name: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const known = kept.get(name)
  if (known) return known
  const reading = read()
  kept.set(name, reading)
  reading.catch(() => kept.delete(name))
  return reading
}
