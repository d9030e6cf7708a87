import type { Database } from '~/server/database/client.server'
import { foldSearch } from '../course-filters'
import { askIndex } from './ask-index.server'
import { listCards } from './card-queries.server'
import { pickPage } from './catalogue-order'
import { addressOfQuery, everything } from './catalogue-query'
import type { Suggestion, Suggestions } from './catalogue-result'
import { listCorrected } from './corrections'
import { listMarks } from './match-marks'
import { PlaceOrder } from './place-order'
import type { SearchIndex } from './search-index.server'
import { findMatches } from './search-matches.server'
import { planSearch, type SearchPlan } from './search-plan'
import { fold, readWords } from './words'
import { countTogether } from './words-together.server'

const most = { courses: 4, instructors: 2, skills: 2, words: 3 }
/** Of words that go on from several, not all are in a course together. */
const wordsTried = 6
const none: Suggestions = { courses: [], instructors: [], skills: [], words: [] }

/** What may be sought by who has typed this so far. */
export async function findSuggestions(db: Database, typed: string): Promise<Suggestions> {
  const q = foldSearch(typed)
  const folded = fold(q)
  if (folded.trim() === '') return none
  return askIndex(db, async (index) => {
    const plan = planSearch(q, index.synonyms)
    const [courses, words] = await Promise.all([suggestCourses(db, index, plan), suggestWords(index, plan, folded)])
    return {
      courses,
      instructors: suggestOptions(index, 'instructor', plan, folded),
      skills: suggestOptions(index, 'skill', plan, folded),
      words,
    }
  })
}

/** Only words, which sets know without a look at the rows. */
const byWords = (plan: SearchPlan): SearchPlan => ({ ...plan, pieces: [], seams: [], isOnePart: true })

async function suggestCourses(db: Database, index: SearchIndex, plan: SearchPlan): Promise<Suggestion[]> {
  // The last word of a sentence with signs alone is nothing that a title begins with.
  if (plan.units.length === 0) return []
  const { title, words } = await findMatches(db, index, byWords(plan))
  const order = new PlaceOrder(await index.readRanks('students'))
  const { places } = pickPage([title, words], order, { after: null, before: null, length: most.courses })
  const cards = await listCards(index, places)
  return cards.map((card) => ({
    text: card.title,
    marks: listMarks(card.title, plan),
    address: `/OneCourse/${card.id}`,
    count: 1,
  }))
}

function suggestOptions(
  { options }: SearchIndex,
  group: 'instructor' | 'skill',
  plan: SearchPlan,
  folded: string,
): Suggestion[] {
  return options[group].listBeginning(folded, most[`${group}s`]).map(({ value, count }) => {
    // The sample course of /OneCourse is not listed, but found by a search.
    const q = count === 0 ? value : ''
    return {
      text: value,
      marks: listMarks(value, plan),
      address: addressOfQuery({ ...everything, q, [group]: [value] }),
      count,
    }
  })
}

/** Words that begin as the last one does, or what all may have been meant to be; only what leads to courses. */
async function suggestWords(index: SearchIndex, plan: SearchPlan, folded: string): Promise<Suggestion[]> {
  const words = readWords(folded).map(({ word }) => word)
  const last = words.pop()
  if (last === undefined || !folded.endsWith(last)) return []
  const vocabularies = index.segments.map(({ vocabulary }) => vocabulary)
  const longer = vocabularies.flatMap((vocabulary) => vocabulary.listCommonest(last, wordsTried))
  const begun = [...new Set(longer.map(({ word }) => word))].filter((word) => word !== last)
  const countOf = (word: string) => vocabularies.reduce((sum, vocabulary) => sum + vocabulary.countCourses(word), 0)
  const texts =
    longer.length === 0
      ? listCorrected(folded, vocabularies)
      : begun.sort((a, b) => countOf(b) - countOf(a)).map((word) => [...words, word].join(' '))
  const tried = texts.slice(0, wordsTried)
  const several = tried.filter((text) => text.includes(' '))
  const together = several.length > 0 ? await countTogether(index, several) : []
  const counted = tried.map((text) => {
    const count = text.includes(' ') ? (together[several.indexOf(text)] ?? 0) : countOf(text)
    return { text, marks: listMarks(text, plan), address: addressOfQuery({ ...everything, q: text }), count }
  })
  return counted.filter(({ count }) => count > 0).slice(0, most.words)
}
