import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Database } from '~/server/database/client.server'
import { indexFormat } from './index-builder'
import { readOptions } from './index-options'
import { LineSearch } from './line-search'
import type { PlaceRanks } from './place-order'
import type { Matches } from './search-matches.server'
import { readSynonyms, type Synonyms } from './search-plan'
import { type KeptSet, keepStored } from './set-bytes'
import { SetMemory } from './set-memory'
import { Vocabulary } from './vocabulary'

/** A stored set: its segment, kind and name. */
export type SetKey = readonly [segment: string, kind: string, name: string]
export type SetRow = { segment: string; kind: string; name: string; members: Buffer }
type SegmentRow = { segment: string; version: string; courses: number; words: string; options: string; seams: string }
export type Segment = { name: string; offset: number; places: number; vocabulary: Vocabulary; seams: LineSearch }

const keptBytes = 8 * 1024 * 1024
const keptSearchBytes = 3 * 1024 * 1024
/** What a kept one takes besides its courses. */
const bytesOfKept = 200
/** Every answer counts these few options. */
const countedKinds = new Set(['listed', 'category', 'level', 'rating', 'length', 'price'])
/** All typing begins with a letter, which most titles have. */
const isFirstLetter = (kind: string, name: string) => kind === 'begin:title' && name.length === 1

export const idOf = (key: SetKey) => key.join('\t')

/** What a process keeps of a version of the index: its words and options, and the sets that were asked for last. */
export class KeptIndex {
  readonly segments: Segment[] = []
  readonly places: number = 0
  readonly synonyms: Synonyms
  readonly options: ReturnType<typeof readOptions>
  readonly db: Database
  readonly version: string
  /** What is asked for all the time. */
  readonly #lasting = new Map<string, KeptSet>()
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
    this.options = readOptions(rows.map(({ options }) => options))
    this.synonyms = readSynonyms(synonyms.map(({ phrases }) => phrases))
  }

  findSet(id: string): KeptSet | undefined {
    return this.#lasting.get(id) ?? this.#sets.get(id)
  }

  keepSet(key: SetKey, set: KeptSet): void {
    const [, kind, name] = key
    const lasts = countedKinds.has(kind) || isFirstLetter(kind, name)
    if (lasts) this.#lasting.set(idOf(key), set)
    else this.#sets.set(idOf(key), set)
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
  const letters = await db.execute<SetRow & { version: string }>(
    sql`select segment, version, kind, name, members from search_segments join search_sets using (segment)
      where format = ${indexFormat} and kind = 'begin:title' and length(name) = 1`,
  )
  for (const { segment, version, kind, name, members } of letters) {
    const known = segments.find((each) => each.segment === segment && each.version === version)
    if (known) index.keepSet([segment, kind, name], keepStored(members, known.courses))
  }
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
