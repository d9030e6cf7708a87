import { type SQL, sql } from 'drizzle-orm'
import type { WordForms } from './match-marks'
import type { Requirement, Unit } from './search-plan'
import { type Connection, listRows } from './search-transaction.server'
import type { WordedSearch } from './search-words.server'

/** The courses that a query is about, before its filters narrow them down. */
export type Source = {
  /** A condition of `course_search`. */
  where: SQL
  /** How well a course matches: the best first. */
  tier: SQL
  /**
   * Whether so many courses match that reading them in order, until there are enough, is faster
   * than sorting all.
   */
  isCommon: boolean
  /**
   * A condition for the best matches of a common search: the words in the title, as typed. Null if
   * these are many, too.
   */
  best: SQL | null
}

/** All courses of the catalog. */
export const wholeCatalog: Source = { where: sql`listed`, tier: sql`0`, isCommon: true, best: null }

/**
 * `exact`: by title, summary and instructor. `any`: by every text of a course. `mention`: by the
 * other texts only.
 */
export type Sources = Record<'exact' | 'any' | 'mention', Source>

/**
 * The courses that a search finds.
 *
 * The specified search, a piece of title, summary or instructor, comes first; among those, and
 * among the others, courses come first that have all words in the title as typed ('C' before
 * 'C++'), then those that have their forms or longer words in the title, then those that have them
 * in the three texts.
 */
export function sourcesOf({
  plan,
  forms,
  isCommon,
  fewAsTyped,
  wordsWithPiece,
}: WordedSearch): Sources {
  const { units, text } = plan
  const specified = text === '' ? nothing : sql`folded like ${likePattern(text)}`
  // The same courses, found by an index.
  const indexed = wordsWithPiece
    ? matching('main', wordsWithPiece.map((word) => `'${word}'`).join(' | '))
    : specified
  const inMain = matching('main', wordQuery(units, forms))
  const inAny = matching('words', wordQuery(units, forms))
  const inTitle = matching('main', wordQuery(units, forms, 'A'))
  const asTyped = typedQuery(units)
  const titleAsTyped = matching('main', asTyped)

  const exact = sql`(${indexed} or ${inMain})`
  const tier = sql`case when ${specified} then 5 else 0 end
    + case when ${matching('main', withoutSigns(asTyped, units))} then 4 when ${titleAsTyped} then 3
      when ${inTitle} then 2 when ${inMain} then 1 else 0 end`
  const source = { tier, isCommon, best: isCommon && fewAsTyped ? titleAsTyped : null }

  return {
    exact: { ...source, where: exact },
    any: { ...source, where: sql`(${indexed} or ${inAny})` },
    mention: { ...source, where: sql`${inAny} and not ${exact}`, best: null },
  }
}

const nothing = sql`false`

function matching(column: 'main' | 'words', query: string): SQL {
  return query === '' ? nothing : sql`${sql.identifier(column)} @@ ${query}::tsquery`
}

/** Texts that have this one, character by character. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/**
 * All units in any order as a `tsquery`; words are letters, digits and `+#.`, so that quotes keep
 * them whole.
 */
export function wordQuery(units: readonly Unit[], forms: WordForms, weight = ''): string {
  const lexeme = (word: string, flags: string) => (flags ? `'${word}':${flags}` : `'${word}'`)
  const inAnyForm = ({ word, begins }: Requirement) => {
    const others = (forms.get(word) ?? []).map((form) => lexeme(form, weight))
    return `(${[lexeme(word, (begins ? '*' : '') + weight), ...others].join(' | ')})`
  }
  const together = (phrase: readonly Requirement[]) => phrase.map(inAnyForm).join(' & ')

  return units.map(({ alternatives }) => `(${alternatives.map(together).join(' | ')})`).join(' & ')
}

/** The words as they are typed, in the title. */
function typedQuery(units: readonly Unit[]): string {
  return listTyped(units)
    .map((word) => `'${word}':A`)
    .join(' & ')
}

/** Leaves out C++ and C# for C: a word with signs is also stored without them. */
function withoutSigns(query: string, units: readonly Unit[]): string {
  const letters = listTyped(units).filter((word) => /^\p{L}{1,3}$/u.test(word))
  return [query, ...letters.map((word) => `!'${word}+':*A & !'${word}#':*A`)].join(' & ')
}

const listTyped = (units: readonly Unit[]) => units.flatMap(({ typed }) => typed.split(' '))

/**
 * @returns whether a search finds courses by the specified fields; if not, whether others mention
 * it.
 */
export async function findMatchKind(
  connection: Connection,
  { exact, any }: Sources,
): Promise<'exact' | 'mention' | null> {
  const [row] = await listRows<{ exact: boolean; any: boolean }>(
    connection,
    sql`
      select
        exists (select from ${selectRows(exact, sql`course_id`)}) as exact,
        exists (select from ${selectRows(any, sql`course_id`)}) as any`,
  )
  if (row?.exact) {
    return 'exact'
  }

  return row?.any ? 'mention' : null
}

/**
 * Returns a source's rows as a part of a query's FROM clause. Rare matches are materialized first:
 * otherwise a limit or an order could make PostgreSQL read the whole table until it has enough rows.
 */
export function selectRows({ isCommon, where }: Source, columns: SQL): SQL {
  const rows = sql`select ${columns} from course_search where ${where}`
  return isCommon
    ? sql`(${rows}) found`
    : sql`(with few as materialized (${rows}) select * from few) found`
}
