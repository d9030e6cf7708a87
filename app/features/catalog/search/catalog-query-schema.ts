/**
 * Reads a `CatalogQuery` from URL parameters. Invalid values count as not chosen, so that an old or
 * mistyped link still shows courses.
 *
 * The schema isn't part of `catalog-query.ts`, so that pages that only link to the catalog don't
 * load the validation library.
 */
import * as z from 'zod/mini'
import { type CatalogQuery, multiValueParameters, queryParameters } from './catalog-query'
import {
  lengthNames,
  levelNames,
  type PriceRange,
  priceRanges,
  ratingNames,
  sortNames,
} from './facets'
import { normalizeName, normalizeSearch } from './normalize-search'

const maxChosenOptions = 20
const maxNameLength = 80

/** A single value. It must be a key of the record, or the default value is taken. */
function keyOf<Key extends string>(record: Record<Key, string>, defaultKey: NoInfer<Key>) {
  const keys = Object.keys(record) as [Key, ...Key[]]
  return z.catch(z.enum(keys), defaultKey as never)
}

/** Several values without duplicates, in a fixed order. Values that aren't valid are left out. */
function listOf<Value extends string>(isValid: (value: string) => value is Value) {
  return z.pipe(
    z.array(z.string()),
    z.transform((values) =>
      [...new Set(values.map(normalizeName))].filter(isValid).toSorted().slice(0, maxChosenOptions),
    ),
  )
}

function keysOf<Key extends string>(record: Record<Key, string>) {
  return listOf((value): value is Key => Object.hasOwn(record, value))
}

const isName = (value: string): value is string => value !== '' && value.length <= maxNameLength
const isPriceRange = (value: string): value is PriceRange =>
  priceRanges.some((range) => range === value)
const courseId = z.catch(z.nullable(z.string().check(z.regex(/^[a-z0-9-]{1,100}$/))), null)

const schema = z.object({
  q: z.pipe(z.string(), z.transform(normalizeSearch)),
  // The search checks whether there is such a category.
  category: z.catch(z.string().check(z.regex(/^[a-z0-9-]{1,80}$/)), 'all'),
  level: keyOf(levelNames, 'all'),
  rating: keysOf(ratingNames),
  length: keysOf(lengthNames),
  price: listOf(isPriceRange),
  language: listOf(isName),
  skill: listOf(isName),
  instructor: listOf(isName),
  sort: keyOf(sortNames, 'best'),
  after: courseId,
  before: courseId,
})

export function parseCatalogQuery(parameters: URLSearchParams): CatalogQuery {
  const isMultiValue = (name: string) => multiValueParameters.some((other) => other === name)
  const values = Object.fromEntries(
    queryParameters.map((name) => [
      name,
      isMultiValue(name) ? parameters.getAll(name) : parameters.get(name),
    ]),
  )
  const query = schema.parse({ ...values, q: parameters.get('q') ?? '' })

  // The value is '1' in a link. A form without scripts sends the text that the option was chosen
  // for, so that the option ends with another text.
  const isChosen = (name: 'exact' | 'mentions') => {
    const value = normalizeSearch(parameters.get(name) ?? '')
    return query.q !== '' && (value === '1' || value === query.q)
  }

  return {
    ...query,
    exact: isChosen('exact'),
    mentions: isChosen('mentions'),
    before: query.after === null ? query.before : null,
  }
}
