/**
 * Suggests what to do after a search without results: searches without one of the words, and the
 * categories of the nearest courses. Both have at most `maxAlternatives` entries.
 */
import type { CatalogQuery, CatalogResult } from './catalog-query'
import { emptyCatalogQuery } from './catalog-query'
import { type CourseSelection, wholeCatalog } from './course-selection.server'
import { createColumnOptions, getChosenOptions, type SchoolOptions } from './facet-options'
import { countByGroup, countCourses, type PageQuery } from './search-queries.server'
import type { Connection } from './search-transaction.server'
import { matchText, type TextMatch } from './text-match.server'

type Alternatives = NonNullable<CatalogResult['alternatives']>

const maxAlternatives = 3
/** Each omitted word costs a search of its own. */
const maxOmittedWords = 8

export async function findAlternatives(
  connection: Connection,
  { q }: CatalogQuery,
  { selection }: TextMatch,
  { pageQuery, schoolOptions }: { pageQuery: PageQuery; schoolOptions: SchoolOptions },
): Promise<Alternatives> {
  const shorterSearches = await findShorterSearches(connection, q, pageQuery)

  // The filters don't apply to the categories, because choosing a category clears the filters.
  const selections = [selection, ...shorterSearches.map((search) => search.selection), wholeCatalog]
  const categories = await findNearestCategories(connection, selections, schoolOptions)

  return {
    without: shorterSearches
      .slice(0, maxAlternatives)
      .map(({ word, q, count }) => ({ word, q, count })),
    categories,
  }
}

type ShorterSearch = {
  /** The omitted word. */
  word: string
  /** The searched text without the word. */
  q: string
  count: number
  selection: CourseSelection
}

/** Returns the searches without one of the words that have results, the one with the most first. */
async function findShorterSearches(
  connection: Connection,
  searchedText: string,
  { chosenOptions }: PageQuery,
): Promise<ShorterSearch[]> {
  const words = searchedText.split(' ')
  if (words.length < 2) {
    return []
  }

  const shorterSearches: ShorterSearch[] = []
  for (const [index, word] of words.slice(0, maxOmittedWords).entries()) {
    const isRepeated = words.indexOf(word) !== index
    if (isRepeated) {
      continue
    }

    const q = words.toSpliced(index, 1).join(' ')
    const { selection } = await matchText(connection, { q, exact: true, mentions: false })
    const count = await countCourses(connection, selection, chosenOptions)
    if (count > 0) {
      shorterSearches.push({ word, q, count, selection })
    }
  }

  return shorterSearches.sort((a, b) => b.count - a.count)
}

const noOptionsChosen = getChosenOptions(emptyCatalogQuery)

/** Returns the categories with the most courses in the first selection that has any course. */
async function findNearestCategories(
  connection: Connection,
  selections: readonly CourseSelection[],
  schoolOptions: SchoolOptions,
): Promise<Alternatives['categories']> {
  const { categories } = schoolOptions

  for (const selection of selections) {
    const categoryCounts = await countByGroup(connection, selection, noOptionsChosen, 'category')
    if (categoryCounts.counts.length === 0) {
      continue
    }

    return createColumnOptions('category', categoryCounts, noOptionsChosen, schoolOptions)
      .filter(({ value, count }) => categories.has(value) && count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, maxAlternatives)
      .map(({ value, count }) => ({
        category: value,
        name: categories.get(value) ?? value,
        count,
      }))
  }

  return []
}
