import { type Chosen, countCourses, facetTest } from './catalog-filters'
import { pageLength } from './catalogue-query'
import { packedGroups } from './facet-steps'
import { namedGroups } from './facets'
import {
  type Asked,
  areCommon,
  countCatalog,
  listCatalogNames,
  type Matches,
  readCatalogPage,
  readMatches,
  type Source,
  wholeCatalog,
} from './matches.server'
import type { Connection } from './search-transaction.server'

export type CourseList = Matches & {
  /** Whether the counts leave out what the packed filters do; else they are of all courses. */
  isNarrowed: boolean
  /** Whether names were counted in the first courses only. */
  areNamesPartial: boolean
}

const firstPage: Asked['cursor'] = { after: null, before: null }

/** A page of some courses that filters leave, with what else is known of them; the first page if the one asked for is empty. */
export async function readList(connection: Connection, source: Source, asked: Asked): Promise<CourseList> {
  const read = source === wholeCatalog ? readCatalog(connection, asked) : readFound(connection, source, asked)
  const list = await read
  const isFirst = asked.cursor.after === null && asked.cursor.before === null
  return list.page.ids.length > 0 || isFirst ? list : readList(connection, source, { ...asked, cursor: firstPage })
}

async function readFound(connection: Connection, source: Source, asked: Asked): Promise<CourseList> {
  const all = await readMatches(connection, source, asked)
  const isNarrowed = all.isPartial && choosesAny(asked.chosen, packedGroups)
  if (!isNarrowed) return { ...all, isNarrowed, areNamesPartial: all.isPartial }
  // Among very many courses that match, few may pass the filters.
  const passing = countCourses(all.counts, facetTest(asked.chosen, asked.languages))
  const isCommon = source.isCommon && passing > pageLength
  const narrowed = await readMatches(connection, { ...source, isCommon }, asked, { narrowed: true })
  return { ...narrowed, isNarrowed, areNamesPartial: narrowed.isPartial }
}

/** Without a search all courses are counted, and pages go on to the last one. */
async function readCatalog(connection: Connection, asked: Asked): Promise<CourseList> {
  const { chosen, languages } = asked
  const choosesNames = choosesAny(chosen, namedGroups)
  if (choosesNames) {
    const found = await readFound(connection, { ...wholeCatalog }, asked)
    return { ...found, page: await readCatalogPage(connection, { isCommon: true, facets: null }, asked) }
  }
  const counts = await countCatalog(connection)
  if (!choosesAny(chosen, packedGroups)) {
    const [skill, instructor] = [
      await listCatalogNames(connection, 'skill'),
      await listCatalogNames(connection, 'instructor'),
    ]
    const page = await readCatalogPage(connection, { isCommon: true, facets: null }, asked)
    return { counts, names: { skill, instructor }, page, isPartial: false, isNarrowed: false, areNamesPartial: false }
  }
  const passes = facetTest(chosen, languages)
  const passing = countCourses(counts, passes)
  const isCommon = areCommon(passing, countCourses(counts), pageLength)
  const facets = counts.filter(([number]) => passes(number)).map(([number]) => number)
  const page = await readCatalogPage(connection, { isCommon, facets }, asked)
  const { names, isPartial } = await readMatches(connection, wholeCatalog, asked, { narrowed: true })
  return { counts, names, page, isPartial: false, isNarrowed: false, areNamesPartial: isPartial }
}

function choosesAny(chosen: Chosen, groups: readonly (keyof Chosen)[]): boolean {
  return groups.some((group) => chosen[group].length > 0)
}
