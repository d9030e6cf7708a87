import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { searchPattern } from '../search-pattern'
import type { CourseSet } from './course-set'
import { type WordKind, wordKinds } from './index-builder'
import type { SearchIndex, SetKey } from './search-index.server'
import type { SearchPlan, Unit } from './search-plan'

/** The courses of a search; no course is in two of these. */
export type Matches = {
  /** All words in the title. */
  title: CourseSet
  /** All words in title, description and instructor. */
  words: CourseSet
  /** The text as typed in title, description or instructor, as a piece of other words. */
  pieces: CourseSet
  /** All words only with the help of skills, lesson titles or subtitle. */
  mention: CourseSet
}

/** @throws {IndexChanged} */
export async function findMatches(db: Database, index: SearchIndex, typed: string, plan: SearchPlan): Promise<Matches> {
  const keysOfUnit = ({ alternatives }: Unit) =>
    alternatives.flat().flatMap((word) => index.keysOfWord(word, wordKinds))
  const pieceKeys = plan.pieces.map((piece) => index.keysOfPiece(piece))
  const signKeys = plan.signs.map((sign) => index.keysOfName('sign', sign))
  const setOf = await index.read([...plan.units.flatMap(keysOfUnit), ...pieceKeys.flat(), ...signKeys.flat()])

  const unitSet = ({ alternatives }: Unit, kinds: readonly WordKind[]) =>
    alternatives
      .map((words) => intersect(words.map((word) => setOf(index.keysOfWord(word, kinds)))))
      .reduce((all, set) => all.addAll(set))
  const allUnits = (kinds: readonly WordKind[]) =>
    plan.units.length === 0 ? setOf([]) : intersect(plan.units.map((unit) => unitSet(unit, kinds)))

  const title = allUnits(['title'])
  const words = allUnits(['title', 'main'])
  const mention = allUnits(wordKinds)
  const parts = [...pieceKeys, ...signKeys].map((keys: readonly SetKey[]) => setOf(keys))
  // Accents alone have no parts.
  const candidates = parts.length === 0 ? setOf([]) : intersect(parts).leaveOut(words)
  const pieces = plan.isOnePart ? candidates : await keepPieces(db, index, candidates, typed)
  return {
    title,
    mention: mention.leaveOut(words).leaveOut(pieces),
    words: words.leaveOut(title),
    pieces,
  }
}

/** @param sets changes the first one. */
function intersect(sets: readonly CourseSet[]): CourseSet {
  return sets.reduce((all, set) => all.keep(set))
}

/** Those of the candidates that have the text as it was typed: the sets know its parts, but not their order. */
async function keepPieces(db: Database, index: SearchIndex, candidates: CourseSet, typed: string): Promise<CourseSet> {
  const kept = candidates.copy().leaveOut(candidates)
  if (candidates.isEmpty()) return kept
  const pattern = searchPattern(typed)
  for (const { segment, offset, places } of index.split(candidates.list())) {
    const rows = await db.execute<{ place: number }>(sql`
      select p.place from search_places p join courses c on c.id = p.course_id
      where p.segment = ${segment} and p.place = any(${list(places)}) and (
        c.title ilike ${pattern} or c.summary ilike ${pattern} or c.instructor_name ilike ${pattern})`)
    for (const { place } of rows) kept.add(place + offset)
  }
  return kept
}

/** Places as a parameter. */
export function list(places: readonly number[]): SQL {
  return sql`${sql.param(`{${places.join()}}`)}::int[]`
}
