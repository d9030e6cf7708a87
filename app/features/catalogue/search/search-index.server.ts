import { type SQL, sql } from 'drizzle-orm'
import { readColumn } from './column-bytes'
import type { CourseSet } from './course-set'
import { indexFormat, type Order, orders, type WordKind } from './index-builder'
import { idOf, type KeptIndex, readOnce, type SetKey, type SetRow } from './kept-index.server'
import { mergeOrders, type Ranked } from './merge-orders'
import { PlaceRanks } from './place-order'
import type { Requirement, Synonyms, Unit } from './search-plan'
import { addKept, type KeptSet, keepStored, keptNothing, unpack } from './set-bytes'
import { SetPool } from './set-pool'
import { isUnion, unionLimits } from './word-unions'
import type { Piece } from './words'

/** The index was built anew since this version of it was read. */
export class IndexChanged extends Error {}

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
    this.#pool = new SetPool(kept.memory)
  }

  /** An empty set. */
  makeSet(): CourseSet {
    return this.#pool.make()
  }

  /** The courses of an option that every answer looks at, which nobody may change; null for others. */
  lastingSetOf(kind: string, name: string): CourseSet | null {
    const set = this.kept.lastingSetOf(kind, name)
    return set ? this.#pool.show(set) : null
  }

  /** A set of its own of one that `keepSet` made. */
  unpack(kept: KeptSet): CourseSet {
    return unpack(kept, this.#pool)
  }

  /** From now on nobody may look at its sets. */
  end(): void {
    this.#pool.end()
  }

  /** Whether courses may have a part of a search; of words that no course has nothing needs to be read. */
  knows({ alternatives }: Unit): boolean {
    return alternatives.some((words) => words.every((word) => this.keysOfWord(word, ['title']).length > 0))
  }

  /** The sets of a word, or of all words that begin so. */
  keysOfWord({ word, begins }: Requirement, kinds: readonly WordKind[]): SetKey[] {
    return this.segments.flatMap(({ name, vocabulary }) => {
      const words = begins ? vocabulary.listBeginning(word) : vocabulary.has(word) ? [word] : []
      if (begins && words.length > 0 && isUnion('begin', word, words.length))
        return kinds.map((kind): SetKey => [name, `begin:${kind}`, word])
      return kinds.flatMap((kind) => words.map((each): SetKey => [name, kind, each]))
    })
  }

  /** The sets of all words that have a piece; of some more where too many words would have to be looked at. */
  keysOfPiece({ piece, opens, closes }: Piece): SetKey[] {
    return this.segments.flatMap(({ name, vocabulary }): SetKey[] => {
      const words = vocabulary.listContaining(piece, { opens, closes, most: unionLimits.piece + 1 })
      if (isUnion('piece', piece, words.length)) return [[name, 'piece', piece]]
      return words.flatMap((word): SetKey[] => [
        [name, 'title', word],
        [name, 'main', word],
      ])
    })
  }

  /** The same of a part of a text that lies across words. */
  keysOfSeam({ piece, ...ends }: Piece): SetKey[] {
    return this.segments.flatMap(({ name, seams }): SetKey[] => {
      const found = seams.listContaining(piece, { ...ends, most: unionLimits.piece + 1 })
      if (isUnion('piece', piece, found.length)) return [[name, 'seam-piece', piece]]
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
      for (const key of wanted) addKept(set, found.get(idOf(key)) ?? keptNothing, this.kept.segmentOf(key[0]).offset)
      return set
    }
  }

  /**
   * Reads stored sets by kind and name, one in each segment.
   *
   * @throws {IndexChanged}
   */
  async readParts(
    named: readonly (readonly [kind: string, name: string])[],
  ): Promise<[id: string, parts: { kept: KeptSet; offset: number }[]][]> {
    const found = await this.#readKept(named.flatMap(([kind, name]) => this.keysOfName(kind, name)))
    return named.map(([kind, name]) => [
      `${kind}\t${name}`,
      this.segments.map((segment) => ({
        offset: segment.offset,
        kept: found.get(idOf([segment.name, kind, name])) ?? keptNothing,
      })),
    ])
  }

  async #readKept(keys: readonly SetKey[]): Promise<Map<string, KeptSet>> {
    const { kept } = this
    const found = new Map<string, KeptSet>()
    const missing = new Map<string, SetKey>()
    const underWay = new Set<Promise<ReadonlyMap<string, KeptSet>>>()
    for (const key of keys) {
      const id = idOf(key)
      const set = kept.findSet(key)
      const reading = kept.reading.get(id)
      if (set) found.set(id, set)
      else if (reading) underWay.add(reading)
      else missing.set(id, key)
    }
    if (missing.size > 0) underWay.add(this.#readMissing(missing))
    for (const sets of await Promise.all(underWay)) for (const [id, set] of sets) found.set(id, set)
    return found
  }

  #readMissing(missing: ReadonlyMap<string, SetKey>): Promise<ReadonlyMap<string, KeptSet>> {
    const { kept } = this
    const reading = this.#fetch([...missing.values()])
      .then((rows) => {
        const found = new Map<string, KeptSet>([...missing.keys()].map((id) => [id, keptNothing]))
        for (const { segment, kind, name, members } of rows)
          found.set(idOf([segment, kind, name]), keepStored(members, this.kept.segmentOf(segment).places))
        for (const [id, key] of missing) kept.keepSet(key, found.get(id) ?? keptNothing)
        return found
      })
      .finally(() => {
        for (const id of missing.keys()) kept.reading.delete(id)
      })
    for (const id of missing.keys()) kept.reading.set(id, reading)
    return reading
  }

  /**
   * All orders, with the first question to an index: no later one waits for them.
   *
   * @throws {IndexChanged}
   */
  async readOrders(): Promise<void> {
    for (const order of orders) await this.readRanks(order)
    this.kept.forgetFormer()
  }

  /** @throws {IndexChanged} */
  readRanks(order: Order): Promise<PlaceRanks> {
    return readOnce(this.kept.orders, order, async () => {
      const taken = await this.kept.takeOrder(order)
      const read = await this.#fetchOrder(
        order,
        this.segments.filter(({ name }) => !taken.has(name)),
      )
      const parts = this.segments.map(({ name, offset }) => ({ offset, ...(taken.get(name) ?? read(name)) }))
      return new PlaceRanks(mergeOrders(parts, this.kept.places))
    })
  }

  /** @returns gives a segment's courses in the order. */
  async #fetchOrder(order: Order, segments: KeptIndex['segments']): Promise<(segment: string) => Ranked> {
    const kinds = ['order', 'order-keys'] as const
    const keys = segments.flatMap(({ name }) => kinds.map((kind): SetKey => [name, kind, order]))
    const rows = keys.length === 0 ? [] : await this.#fetch(keys)
    const membersOf = (segment: string, kind: (typeof kinds)[number]) =>
      rows.find((row) => row.segment === segment && row.kind === kind)?.members ?? Buffer.alloc(0)
    return (segment) => ({
      column: readColumn(membersOf(segment, 'order'), this.kept.segmentOf(segment).places),
      keys: new Int32Array(new Uint8Array(membersOf(segment, 'order-keys')).buffer),
    })
  }

  /**
   * Runs a query, in one round trip. The version is a part of the answer, so that what is read always belongs together.
   *
   * @throws {IndexChanged}
   */
  async readRows<Row extends object>(query: SQL): Promise<Row[]> {
    const { rows: answer } = await this.kept.db.execute<Row & { version: string; found: true | null }>(sql`
        select v.version, r.* from (
          select coalesce(string_agg(version, ',' order by segment), '') as version from search_segments
          where format = ${indexFormat}
        ) v left join (select true as found, q.* from (${query}) q) r on true`)
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
}
