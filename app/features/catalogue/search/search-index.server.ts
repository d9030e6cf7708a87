import { type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Database } from '~/server/database/client.server'
import { executePrepared } from '~/server/database/prepared.server'
import type { PlaceOrder } from './catalogue-order'
import type { CourseSet } from './course-set'
import type { OptionSets } from './facet-counts'
import { indexFormat, type Order, type WordKind } from './index-builder'
import { readOptions } from './index-options'
import { LineSearch } from './line-search'
import { mergeOrders } from './merge-orders'
import { type Requirement, readSynonyms, type Synonyms } from './search-plan'
import { addKept, countAmong, countKept, type KeptSet, keepStored } from './set-bytes'
import { SetPool, SpareBits } from './set-pool'
import { Vocabulary } from './vocabulary'
import { unionLimit } from './word-unions'
import type { Piece } from './words'

type SegmentRow = { segment: string; version: string; courses: number; words: string; options: string; seams: string }
type Segment = { name: string; offset: number; places: number; vocabulary: Vocabulary; seams: LineSearch }
/** A stored set: its segment, kind and name. */
export type SetKey = readonly [segment: string, kind: string, name: string]
type SetRow = { segment: string; kind: string; name: string; members: Buffer }

const keptBytes = 12 * 1024 * 1024
const nothing = new Uint8Array(1)
const idOf = (key: SetKey) => key.join('\t')

/** The index was built anew since this version of it was read. */
class IndexChanged extends Error {}

/** What a process keeps of a version of the index: its words and options, and the sets that were asked for last. */
export class KeptIndex {
  readonly segments: Segment[] = []
  readonly places: number = 0
  readonly synonyms: Synonyms
  readonly options: ReturnType<typeof readOptions>
  readonly db: Database
  readonly version: string
  readonly sets = new LRUCache<string, KeptSet>({
    maxSize: keptBytes,
    sizeCalculation: ({ byteLength }) => byteLength + 200,
  })
  readonly orders = new Map<Order, Promise<PlaceOrder>>()
  readonly spareBits = new SpareBits()

  constructor(db: Database, rows: readonly SegmentRow[], synonyms: readonly { phrases: string[] }[]) {
    this.db = db
    this.version = rows.map(({ version }) => version).join()
    for (const { segment, courses, words, seams } of rows) {
      const found = { vocabulary: new Vocabulary(words), seams: new LineSearch(seams) }
      this.segments.push({ name: segment, offset: this.places, places: courses, ...found })
      this.places = (this.places + courses + 31) & ~31
    }
    this.options = readOptions(rows.map(({ options }) => options))
    this.synonyms = readSynonyms(synonyms.map(({ phrases }) => phrases))
  }
}

/** The index for one answer: the sets that it makes end with that. */
export class SearchIndex {
  readonly kept: KeptIndex
  readonly segments: KeptIndex['segments']
  readonly synonyms: Synonyms
  readonly options: KeptIndex['options']
  readonly #pool: SetPool

  constructor(kept: KeptIndex) {
    this.kept = kept
    this.segments = kept.segments
    this.synonyms = kept.synonyms
    this.options = kept.options
    this.#pool = new SetPool(kept.spareBits, kept.places)
  }

  /** An empty set. */
  makeSet(): CourseSet {
    return this.#pool.make()
  }

  /** From now on nobody may look at its sets. */
  end(): void {
    this.#pool.end()
  }

  /** The sets of a word, or of all words that begin so. */
  keysOfWord({ word, begins }: Requirement, kinds: readonly WordKind[]): SetKey[] {
    return this.segments.flatMap(({ name, vocabulary }) => {
      const words = begins ? vocabulary.listBeginning(word) : vocabulary.has(word) ? [word] : []
      if (words.length > unionLimit) return kinds.map((kind): SetKey => [name, `begin:${kind}`, word])
      return kinds.flatMap((kind) => words.map((each): SetKey => [name, kind, each]))
    })
  }

  /** The sets of all words that have a piece; of some more where too many words would have to be looked at. */
  keysOfPiece({ piece, opens, closes }: Piece): SetKey[] {
    return this.segments.flatMap(({ name, vocabulary }): SetKey[] => {
      const words = vocabulary.listContaining(piece, { opens, closes })
      if (words.length > unionLimit) return [[name, 'piece', piece]]
      return words.flatMap((word): SetKey[] => [
        [name, 'title', word],
        [name, 'main', word],
      ])
    })
  }

  /** The same of a part of a text that lies across words. */
  keysOfSeam({ piece, ...ends }: Piece): SetKey[] {
    return this.segments.flatMap(({ name, seams }): SetKey[] => {
      const found = seams.listContaining(piece, ends)
      if (found.length > unionLimit) return [[name, 'seam-piece', piece]]
      return found.map((seam) => [name, 'seam', seam])
    })
  }

  /** Places of the whole index, by segment and from 0 in each. */
  split(places: Iterable<number>): { segment: string; offset: number; places: number[] }[] {
    const parts = this.segments.map(({ name, offset }) => ({ segment: name, offset, places: [] as number[] }))
    for (const place of places) {
      const part = parts.findLast(({ offset }) => place >= offset)
      part?.places.push(place - part.offset)
    }
    return parts.filter((part) => part.places.length > 0)
  }

  keysOfName(kind: string, name: string): SetKey[] {
    return this.segments.map((segment): SetKey => [segment.name, kind, name])
  }

  /**
   * Reads stored sets, in one round trip; none if all are kept, since the cards that follow check the version.
   *
   * @returns gives a set of its own with the courses of any of the keys that were read.
   * @throws {IndexChanged}
   */
  async read(keys: readonly SetKey[]): Promise<(keys: readonly SetKey[]) => CourseSet> {
    const found = await this.#readKept(keys)
    return (wanted) => {
      const set = this.makeSet()
      for (const key of wanted) addKept(set, found.get(idOf(key)) ?? nothing, this.#segment(key[0]).offset)
      return set
    }
  }

  /**
   * Reads the courses of options.
   *
   * @throws {IndexChanged}
   */
  async readOptionSets(options: readonly (readonly [kind: string, name: string])[]): Promise<OptionSets> {
    const found = await this.#readKept(options.flatMap(([kind, name]) => this.keysOfName(kind, name)))
    const partsOf = (kind: string, name: string) =>
      this.segments.map((segment) => ({
        offset: segment.offset,
        kept: found.get(idOf([segment.name, kind, name])) ?? nothing,
      }))
    const sets = new Map<string, CourseSet>()
    return {
      setOf: (kind, name) => {
        const known = sets.get(`${kind}\t${name}`)
        if (known) return known
        const set = this.makeSet()
        for (const { kept, offset } of partsOf(kind, name)) addKept(set, kept, offset)
        sets.set(`${kind}\t${name}`, set)
        return set
      },
      counterOf: (courses) => {
        const few = courses.size <= courses.bits.length / 4 ? courses.list() : null
        return (kind, name) =>
          partsOf(kind, name).reduce((sum, { kept, offset }) => {
            const among = few && kept instanceof Uint32Array
            return sum + (among ? countAmong(few, kept, offset) : countKept(courses, kept, offset))
          }, 0)
      },
    }
  }

  async #readKept(keys: readonly SetKey[]): Promise<Map<string, KeptSet>> {
    const found = new Map<string, KeptSet>()
    const missing = new Map<string, SetKey>()
    for (const key of keys) {
      const id = idOf(key)
      const kept = this.kept.sets.get(id)
      if (kept) found.set(id, kept)
      else missing.set(id, key)
    }
    const rows = missing.size > 0 ? await this.#fetch([...missing.values()]) : []
    for (const { segment, kind, name, members } of rows)
      found.set(idOf([segment, kind, name]), keepStored(members, this.#segment(segment).places))
    for (const id of missing.keys()) this.kept.sets.set(id, found.get(id) ?? nothing)
    return found
  }

  /** @throws {IndexChanged} */
  readOrder(order: Order): Promise<PlaceOrder> {
    const { orders } = this.kept
    const known = orders.get(order)
    if (known) return known
    const reading = this.#fetchOrder(order)
    orders.set(order, reading)
    reading.catch(() => orders.delete(order))
    return reading
  }

  async #fetchOrder(order: Order): Promise<PlaceOrder> {
    const kinds = ['order', 'order-key']
    const rows = await this.#fetch(kinds.flatMap((kind) => this.keysOfName(kind, order)))
    const numbersOf = (segment: string, kind: string) => {
      const members = rows.find((row) => row.segment === segment && row.kind === kind)?.members ?? Buffer.alloc(0)
      return new Int32Array(new Uint8Array(members).buffer)
    }
    const segments = this.segments.map(({ name, offset }) => ({
      offset,
      places: numbersOf(name, 'order'),
      keys: numbersOf(name, 'order-key'),
    }))
    return mergeOrders(segments, this.kept.places)
  }

  /** @throws {IndexChanged} if what is kept is outdated. */
  async requireCurrent(): Promise<void> {
    await this.#fetch([])
  }

  /**
   * Runs a query, in one round trip. The version is a part of the answer, so that what is read always belongs together.
   *
   * @throws {IndexChanged}
   */
  async readRows<Row extends object>(query: SQL): Promise<Row[]> {
    const answer = await executePrepared<Row & { version: string; found: true | null }>(
      this.kept.db,
      sql`
        select v.version, r.* from (
          select coalesce(string_agg(version, ',' order by segment), '') as version from search_segments
          where format = ${indexFormat}
        ) v left join (select true as found, q.* from (${query}) q) r on true`,
    )
    if (answer[0]?.version !== this.kept.version) throw new IndexChanged()
    return answer.flatMap(({ version: _version, found, ...row }) => (found ? [row as unknown as Row] : []))
  }

  #fetch(keys: readonly SetKey[]): Promise<SetRow[]> {
    const column = (index: 0 | 1 | 2) => sql`${sql.param(keys.map((key) => key[index]))}::text[]`
    return this.readRows(sql`
      select s.segment, s.kind, s.name, s.members
      from unnest(${column(0)}, ${column(1)}, ${column(2)}) as wanted(segment, kind, name)
      join search_sets s using (segment, kind, name)`)
  }

  #segment(name: string): Segment {
    const segment = this.segments.find((each) => each.name === name)
    if (!segment) throw new RangeError(`There is no segment ${name}.`)
    return segment
  }
}

const indexes = new WeakMap<Database, Promise<KeptIndex>>()
const mostAttempts = 5

/** Asks the index of a database in its present version; once more when it is built anew meanwhile. */
export async function askIndex<Answer>(db: Database, ask: (index: SearchIndex) => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const reading = indexes.get(db) ?? readIndex(db)
    indexes.set(db, reading)
    const forget = () => indexes.get(db) === reading && indexes.delete(db)
    const kept = await reading.catch((error) => {
      forget()
      throw error
    })
    const index = new SearchIndex(kept)
    try {
      const answer = await ask(index)
      // After a failure something may still be at work with them.
      index.end()
      return answer
    } catch (error) {
      if (!(error instanceof IndexChanged)) throw error
      forget()
      if (attempt === mostAttempts) throw error
    }
  }
}

async function readIndex(db: Database): Promise<KeptIndex> {
  const segments = await db.execute<SegmentRow>(
    sql`select search_segments.segment, version, courses, words, options, coalesce(convert_from(members, 'UTF8'), '') as seams
      from search_segments left join search_sets on search_sets.segment = search_segments.segment and kind = 'seams'
      where format = ${indexFormat} order by search_segments.segment`,
  )
  const synonyms = await db.execute<{ phrases: string[] }>(sql`select phrases from search_synonyms order by position`)
  return new KeptIndex(db, segments, synonyms)
}
