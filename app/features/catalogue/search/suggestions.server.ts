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
import { planSearch, type SearchPlan } from './search-plan'
import { fold, readWords } from './words'
import { countTogether, findTogether, shownKinds } from './words-together.server'

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
    const [courses, words] = await Promise.all([suggestCourses(index, plan), suggestWords(index, plan, folded)])
    return {
      courses,
      instructors: suggestOptions(index, 'instructor', plan, folded),
      skills: suggestOptions(index, 'skill', plan, folded),
      words,
    }
  })
}

async function suggestCourses(index: SearchIndex, plan: SearchPlan): Promise<Suggestion[]> {
  // The last word of a sentence with signs alone is nothing that a title begins with.
  if (plan.units.length === 0) return []
  const order = new PlaceOrder(await index.readRanks('students'))
  const first = { after: null, before: null, length: most.courses }
  const title = await findTogether(index, plan.units, ['title'])
  const tiers = [title]
  // Most of what is typed is in more titles than are suggested.
  if (title.size < most.courses) tiers.push((await findTogether(index, plan.units, shownKinds)).leaveOut(title))
  const cards = await listCards(index, pickPage(tiers, order, first).places)
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
  const texts =
    longer.length === 0
      ? listCorrected(folded, vocabularies)
      : begun.sort((a, b) => countWord(index, b) - countWord(index, a)).map((word) => [...words, word].join(' '))
  const found: Suggestion[] = []
  // The first ones are the likeliest to lead somewhere.
  for (let from = 0; from < wordsTried && found.length < most.words; from += most.words) {
    const tried = texts.slice(from, from + most.words)
    const counts = await countTexts(index, tried)
    for (const text of tried.filter((_, at) => counts[at]))
      found.push({
        text,
        marks: listMarks(text, plan),
        address: addressOfQuery({ ...everything, q: text }),
        count: null,
      })
  }
  return found.slice(0, most.words)
}

async function countTexts(index: SearchIndex, texts: readonly string[]): Promise<number[]> {
  const several = texts.filter((text) => text.includes(' '))
  const together = several.length > 0 ? await countTogether(index, several) : []
  return texts.map((text) => together[several.indexOf(text)] ?? countWord(index, text))
}

const countWord = ({ segments }: SearchIndex, word: string) =>
  segments.reduce((sum, { vocabulary }) => sum + vocabulary.countCourses(word), 0)
