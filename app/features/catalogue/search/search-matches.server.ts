import { type SQL, sql } from 'drizzle-orm'
import { data } from 'react-router'
import type { Database } from '~/server/database/client.server'
import { Renderings } from '~/server/renderings.server'
import type { CourseSet } from './course-set'
import { type WordKind, wordKinds } from './index-builder'
import type { SetKey } from './kept-index.server'
import type { SearchIndex } from './search-index.server'
import { searchesBusy } from './search-messages'
import type { Requirement, SearchPlan } from './search-plan'
import { fold } from './words'

/** The courses of a search; no course is in two of these. */
export type Matches<Set = CourseSet> = {
  /** All words in the title. */
  title: Set
  /** All words in title, description and instructor. */
  words: Set
  /** The text as typed in title, description or instructor, as a piece of other words. */
  pieces: Set
  /** All words only with the help of skills, lesson titles or subtitle. */
  mention: Set
}

/** @param mostChecked as `findListing` has it. @throws {IndexChanged} */
export async function findMatches(
  db: Database,
  index: SearchIndex,
  plan: SearchPlan,
  mostChecked = Number.POSITIVE_INFINITY,
): Promise<Matches> {
  const units = plan.units.map(({ alternatives }) =>
    alternatives.map((words) => words.map((word) => keysOf(index, word))),
  )
  const pieceKeys = plan.pieces.map((piece) => index.keysOfPiece(piece))
  const seamKeys = plan.seams.map((seam) => index.keysOfSeam(seam))
  const isKnown = plan.units.every((unit) => index.knows(unit))
  const unitKeys = isKnown ? units.flat(2).flatMap((keys) => wordKinds.flatMap((kind) => keys[kind])) : []
  const setOf = await index.read([...unitKeys, ...pieceKeys.flat(), ...seamKeys.flat()])

  const fieldsOfWord = (keys: WordKeys): Fields => {
    const title = setOf(keys.title)
    const main = setOf(keys.main).addAll(title)
    return { title, main, any: setOf(keys.other).addAll(main) }
  }
  const { title, main: words, any: mention } = everyUnit(units, fieldsOfWord) ?? fieldsOf(() => setOf([]))
  const parts = [...pieceKeys, ...seamKeys].map((keys: readonly SetKey[]) => setOf(keys))
  // Accents alone have no parts.
  const candidates = parts.length === 0 ? setOf([]) : intersect(parts).leaveOut(words)
  const found = { title, words: words.copy().leaveOut(title) }
  if (plan.isOnePart || candidates.size <= mostChecked) {
    const pieces = plan.isOnePart ? candidates : await keepPieces(db, index, candidates, plan.text)
    return { ...found, pieces, mention: mention.leaveOut(words).leaveOut(pieces) }
  }
  // Whether mentions would be shown, only the pieces say.
  return { ...found, pieces: setOf([]), mention: setOf([]) }
}

/** Courses that have something in the title; there, in the description or in the instructor's name; or anywhere. */
type Fields = Record<'title' | 'main' | 'any', CourseSet>

const fieldsOf = (make: (field: keyof Fields) => CourseSet): Fields => ({
  title: make('title'),
  main: make('main'),
  any: make('any'),
})

/** The sets of a word by where it stands. */
type WordKeys = Record<WordKind, SetKey[]>

function keysOf(index: SearchIndex, word: Requirement): WordKeys {
  const [title, main, other] = wordKinds.map((kind) => index.keysOfWord(word, [kind]))
  return { title: title ?? [], main: main ?? [], other: other ?? [] }
}

/** The courses that have every unit, which is all words of one of its alternatives; null if there is none. */
function everyUnit(units: readonly WordKeys[][][], fieldsOfWord: (keys: WordKeys) => Fields): Fields | null {
  const both = (one: Fields, other: Fields) => fieldsOf((field) => one[field].keep(other[field]))
  const either = (one: Fields, other: Fields) => fieldsOf((field) => one[field].addAll(other[field]))
  const found = units.map((alternatives) =>
    alternatives.map((words) => words.map(fieldsOfWord).reduce(both)).reduce(either),
  )
  return found.length === 0 ? null : found.reduce(both)
}

/** @param sets changes the first one. */
function intersect(sets: readonly CourseSet[]): CourseSet {
  return sets.reduce((all, set) => all.keep(set))
}

/** Those of the candidates that have the folded text: the sets know its parts, but not their order. */
async function keepPieces(db: Database, index: SearchIndex, candidates: CourseSet, text: string): Promise<CourseSet> {
  const kept = candidates.copy().leaveOut(candidates)
  if (candidates.isEmpty()) return kept
  const places = candidates.list()
  const check = () => checkRows(db, index, places, text, kept)
  await (places.length > candidatesAtOnce ? runLongCheck(check) : check())
  return kept
}

/** @param kept takes the courses whose rows have the text. */
async function checkRows(
  db: Database,
  index: SearchIndex,
  candidates: Int32Array,
  text: string,
  kept: CourseSet,
): Promise<void> {
  for (const { segment, offset, places } of index.split(candidates)) {
    // In parts: a database that is silent for long counts as gone.
    for (let from = 0; from < places.length; from += candidatesAtOnce) {
      const { rows } = await db.execute<{ place: number; title: string; summary: string; name: string }>(sql`
        select p.place, c.title, c.summary, c.instructor_name as name
        from search_places p join courses c on c.id = p.course_id
        where p.segment = ${segment} and p.place = any(${list(places.slice(from, from + candidatesAtOnce))})`)
      for (const { place, title, summary, name } of rows)
        if ([title, summary, name].some((field) => fold(field).includes(text))) kept.add(place + offset)
    }
  }
}

const candidatesAtOnce = 20_000
/** Two of the database's connections at most: pieces of text that nearly every course has cost seconds in a million. */
const longChecks = new Renderings(2)

async function runLongCheck(check: () => Promise<void>): Promise<void> {
  if (longChecks.areFull) {
    throw data(searchesBusy, {
      status: 503,
      headers: { 'Retry-After': '1' },
    })
  }
  await longChecks.run(check)
}

/** Places as a parameter. */
export function list(places: readonly number[]): SQL {
  return sql`${sql.param(`{${places.join()}}`)}::int[]`
}
