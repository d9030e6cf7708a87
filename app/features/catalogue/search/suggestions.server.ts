import type { Database } from '~/server/database/client.server'
import { foldSearch } from '../course-filters'
import { listCards } from './card-queries.server'
import { pickPage } from './catalogue-order'
import { addressOfQuery, everything } from './catalogue-query'
import type { Suggestion, Suggestions } from './catalogue-result'
import { correctWord } from './corrections'
import { listMarks } from './match-marks'
import { askIndex, type SearchIndex } from './search-index.server'
import { findMatches } from './search-matches.server'
import { planSearch, type SearchPlan } from './search-plan'
import { fold, readWords } from './words'

const most = { courses: 4, instructors: 2, skills: 2, words: 3 }

/** What may be sought by who has typed this so far. */
export async function findSuggestions(db: Database, typed: string): Promise<Suggestions> {
  const q = foldSearch(typed)
  if (q === '') return { courses: [], instructors: [], skills: [], words: [] }
  return askIndex(db, async (index) => {
    const plan = planSearch(q, index.synonyms)
    const folded = fold(q)
    return {
      courses: await suggestCourses(db, index, plan, q),
      instructors: suggestOptions(index, 'instructor', plan, folded).slice(0, most.instructors),
      skills: suggestOptions(index, 'skill', plan, folded).slice(0, most.skills),
      words: suggestWords(index, plan, folded),
    }
  })
}

async function suggestCourses(db: Database, index: SearchIndex, plan: SearchPlan, q: string): Promise<Suggestion[]> {
  // The last word of a sentence with signs alone is nothing that a title begins with.
  if (plan.units.length === 0) return []
  const { title, words } = await findMatches(db, index, q, { ...plan, pieces: [], seams: [], isOnePart: true })
  const order = await index.readOrder('students')
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
  return options[group].listBeginning(folded, most.instructors).map((value) => {
    const count = options[group].countOf(value)
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

/** Words that begin as the last one does, or what it may have been meant to be; with the words before it. */
function suggestWords({ segments }: SearchIndex, plan: SearchPlan, folded: string): Suggestion[] {
  const words = readWords(folded).map(({ word }) => word)
  const last = words.pop()
  if (last === undefined || !folded.endsWith(last)) return []
  const vocabularies = segments.map(({ vocabulary }) => vocabulary)
  const countOf = (word: string) => vocabularies.reduce((sum, vocabulary) => sum + vocabulary.countCourses(word), 0)
  const longer = vocabularies.flatMap((vocabulary) => vocabulary.listCommonest(last, most.words + 1))
  const begun = [...new Set(longer.map(({ word }) => word))].filter((word) => word !== last)
  const isKnown = longer.length > 0
  const found = isKnown ? begun.sort((a, b) => countOf(b) - countOf(a)) : correctWord(last, vocabularies)
  return found.slice(0, most.words).map((word) => {
    const text = [...words, word].join(' ')
    return {
      text,
      marks: listMarks(text, plan),
      address: addressOfQuery({ ...everything, q: text }),
      count: countOf(word),
    }
  })
}
