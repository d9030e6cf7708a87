import { type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Database } from '~/server/database/client.server'
import type { CourseSet } from './course-set'
import { mostNames } from './facets'
import { indexFormat, packedKind } from './index-builder'
import { joinOptions, type Options, readOptions } from './index-options'
import { LineSearch } from './line-search'
import type { Ranked } from './merge-orders'
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
/** Its texts are null where they are known. */
type SegmentRow = { segment: string; version: string; courses: number } & Record<
  'words' | 'options' | 'seams',
  string | null
>
/** What a version of a segment has, wherever it stands in the index. */
type SegmentParts = {
  vocabulary: Vocabulary
  seams: LineSearch
  options: Options
  /** Sets of first letters, by their ids. */
  letters: Map<string, KeptSet>
  /** By kind. */
  packed: Map<string, PackedSets>
}
export type Segment = SegmentParts & { name: string; version: string; offset: number; places: number }

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
  readonly options: ReturnType<typeof joinOptions>
  /** Those that every answer offers. */
  readonly languages: readonly string[]
  readonly db: Database
  readonly version: string
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
  /** The version before, until everything is taken over of it. */
  #former: KeptIndex | null

  /** @param former of which everything is taken over that has not changed. */
  constructor(
    db: Database,
    rows: readonly SegmentRow[],
    synonyms: readonly { phrases: string[] }[],
    former: KeptIndex | null,
  ) {
    this.db = db
    this.version = rows.map(({ version }) => version).join()
    this.#former = former
    for (const row of rows) {
      const parts = this.#findFormer(row) ?? readSegment(row)
      this.segments.push({
        ...parts,
        name: row.segment,
        version: row.version,
        offset: this.places,
        places: row.courses,
      })
      this.places = (this.places + row.courses + 31) & ~31
    }
    this.memory = new SetMemory(this.places)
    this.#lastingPool = new SetPool(this.memory, { lasts: true })
    this.options = joinOptions(this.segments.map(({ options }) => options))
    this.languages = this.options.language.listFirst(mostNames).map(({ value }) => value)
    this.synonyms = readSynonyms(synonyms.map(({ phrases }) => phrases))
    if (former) for (const own of this.segments) this.#takeSets(former, own)
  }

  /** What the former version has of a segment that is the same in it. */
  #findFormer({ version }: { version: string }): Segment | undefined {
    return this.#former?.segments.find((segment) => segment.version === version)
  }

  #takeSets(former: KeptIndex, own: Segment): void {
    const before = this.#findFormer(own)
    if (!before) return
    for (const [option, set] of former.#lastingSets) {
      const [kind = '', name = ''] = option.split('\t')
      if (kind === 'language' && !this.languages.includes(name)) continue
      const mine = this.#lastingSetFor(option)
      const from = before.offset >>> 5
      mine.addBits(set.bits.subarray(from, from + ((own.places + 31) >>> 5)), own.offset >>> 5)
    }
    const isOwn = ([id]: [string, unknown]) => id.startsWith(`${own.name}\t`)
    for (const [id, set] of [...former.#sets.entries()].filter(isOwn).reverse()) this.#sets.set(id, set)
  }

  /** @returns the courses of segments in an order that the former version knows. */
  async takeOrder(order: string): Promise<Map<string, Ranked>> {
    const known = await this.#former?.orders.get(order)?.catch(() => undefined)
    const taken = new Map<string, Ranked>()
    for (const own of this.segments) {
      const before = this.#findFormer(own)
      if (!before || !known) continue
      const column = known.ranks.subarray(before.offset, before.offset + own.places)
      taken.set(own.name, { column, keys: known.keys })
    }
    return taken
  }

  forgetFormer(): void {
    this.#former = null
  }

  segmentOf(name: string): Segment {
    const segment = this.segments.find((each) => each.name === name)
    if (!segment) throw new RangeError(`There is no segment ${name}.`)
    return segment
  }

  findSet(key: SetKey): KeptSet | undefined {
    const [segment, kind, name] = key
    const { packed, letters } = this.segmentOf(segment)
    const sets = packed.get(kind)
    if (sets) return lookAtStored(sets.find(name) ?? keptNothing)
    const id = idOf(key)
    return letters.get(id) ?? this.#sets.get(id)
  }

  keepSet(key: SetKey, set: KeptSet): void {
    this.#sets.set(idOf(key), set)
  }

  lastingSetOf(kind: string, name: string): CourseSet | undefined {
    return this.#lastingSets.get(`${kind}\t${name}`)
  }

  #lastingSetFor(option: string): CourseSet {
    const known = this.#lastingSets.get(option) ?? this.#lastingPool.make()
    this.#lastingSets.set(option, known)
    return known
  }

  /** Before anybody asks the index. */
  addLasting({ segment, kind, name, members }: SetRow): void {
    const { offset, places, packed, letters } = this.segmentOf(segment)
    if (kind === packedKind) packed.set(name, new PackedSets(members))
    else if (kind === letterKind) letters.set(idOf([segment, kind, name]), keepStored(members, places))
    else addKept(this.#lastingSetFor(`${kind}\t${name}`), keepStored(members, places), offset)
  }
}

function readSegment({ words, seams, options }: SegmentRow): SegmentParts {
  return {
    vocabulary: new Vocabulary(words ?? ''),
    seams: new LineSearch(seams ?? ''),
    options: readOptions(options ?? ''),
    letters: new Map(),
    packed: new Map(),
  }
}

/** @param former the version before: of segments that are the same, nothing is read again. */
export async function readIndex(db: Database, former: KeptIndex | null = null): Promise<KeptIndex> {
  const known = former?.segments.map(({ version }) => version) ?? []
  const isNew = sql`version <> all(${sql.param(known)}::text[])`
  const text = (column: SQL) => sql`case when ${isNew} then ${column} end`
  const { rows: segments } = await db.execute<SegmentRow>(
    sql`select search_segments.segment, version, courses, ${text(sql`words`)} as words, ${text(sql`options`)} as options,
        ${text(sql`convert_from(members, 'UTF8')`)} as seams
      from search_segments left join search_sets on search_sets.segment = search_segments.segment and kind = 'seams'
      where format = ${indexFormat} order by search_segments.segment`,
  )
  const { rows: synonyms } = await db.execute<{ phrases: string[] }>(
    sql`select phrases from search_synonyms order by position`,
  )
  const index = new KeptIndex(db, segments, synonyms, former)
  const newLanguages = index.languages.filter((language) => !index.lastingSetOf('language', language))
  const { rows: lasting } = await db.execute<SetRow & { version: string }>(
    sql`select segment, version, kind, name, members from search_segments join search_sets using (segment)
      where format = ${indexFormat} and (
        kind = 'language' and name = any(${sql.param(newLanguages)}::text[])
        or ${isNew} and (
          kind = any(${sql.param([...lastingKinds, packedKind])}::text[])
          or kind = 'language' and name = any(${sql.param(index.languages)}::text[])
          or kind = ${letterKind} and name in (
            select name from search_segments join search_sets using (segment)
            where format = ${indexFormat} and kind = ${letterKind} and length(name) = 1
            group by name order by sum(length(members)) desc limit ${mostLetters}::int)))`,
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
