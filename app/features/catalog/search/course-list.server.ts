import type { Chosen } from './catalog-filters'
import { packedGroups } from './facet-steps'
import { namedGroups } from './facets'
import {
  type Asked,
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
  /** Whether the counts are of all courses of the catalog, whatever the filters leave out. */
  isWhole: boolean
  /** Whether names were counted in the first courses only. */
  areNamesPartial: boolean
}

export const firstPage: Asked['cursor'] = { after: null, before: null }

/** A page of the courses that filters leave of a source, with what filters say of them; the first page if it is empty. */
export async function readList(connection: Connection, source: Source, asked: Asked): Promise<CourseList> {
  const list =
    source === wholeCatalog ? await readCatalog(connection, asked) : await readFound(connection, source, asked)
  const isFirst = asked.cursor.after === null && asked.cursor.before === null
  return list.page.ids.length > 0 || isFirst ? list : readList(connection, source, { ...asked, cursor: firstPage })
}

async function readFound(connection: Connection, source: Source, asked: Asked): Promise<CourseList> {
  const matches = await readMatches(connection, source, asked)
  return { ...matches, isWhole: false, areNamesPartial: matches.isPartial }
}

/** Without a search all courses are counted, and pages go on to the last one. */
async function readCatalog(connection: Connection, asked: Asked): Promise<CourseList> {
  const page = await readCatalogPage(connection, asked)
  const isNarrowed = choosesAny(asked.chosen, packedGroups) || choosesAny(asked.chosen, namedGroups)
  const found = isNarrowed ? await readFound(connection, wholeCatalog, asked) : null
  // The facets of a course say nothing of its skills and instructor.
  if (found && choosesAny(asked.chosen, namedGroups)) return { ...found, page }
  const names = found?.names ?? {
    skill: await listCatalogNames(connection, 'skill'),
    instructor: await listCatalogNames(connection, 'instructor'),
  }
  const counts = await countCatalog(connection)
  return { counts, names, page, isPartial: false, isWhole: true, areNamesPartial: found?.isPartial ?? false }
}

function choosesAny(chosen: Chosen, groups: readonly (keyof Chosen)[]): boolean {
  return groups.some((group) => chosen[group].length > 0)
}
