import * as z from 'zod/mini'
import { type CatalogQuery, multiValueParameters, queryParameters } from './catalog-query'
import {
  lengthNames,
  levelNames,
  normalizeName,
  normalizeSearch,
  type PriceStep,
  priceSteps,
  ratingNames,
  sortNames,
} from './facets'

/**
 * Apart from `catalog-query.ts`, so that a page which only links to the catalog loads no schema.
 */

const mostChosen = 20
const longestName = 80

const keysOf = <Key extends string>(names: Record<Key, string>) =>
  Object.keys(names) as [Key, ...Key[]]
const oneOf = <Key extends string>(names: Record<Key, string>, otherwise: NoInfer<Key>) =>
  z.catch(z.enum(keysOf(names)), otherwise as never)
const several = <Item extends string>(keep: (value: string) => value is Item) =>
  z.pipe(
    z.array(z.string()),
    z.transform((values) =>
      [...new Set(values.map(normalizeName))].filter(keep).toSorted().slice(0, mostChosen),
    ),
  )
const someOf = <Key extends string>(names: Record<Key, string>) =>
  several((value): value is Key => Object.hasOwn(names, value))
const freely = several((value): value is string => value !== '' && value.length <= longestName)
const courseId = z.catch(z.nullable(z.string().check(z.regex(/^[a-z0-9-]{1,100}$/))), null)

/**
 * Reads the parameters of the address; a value that cannot exist counts as not chosen. The catalog
 * knows its categories.
 */
const schema = z.object({
  q: z.pipe(z.string(), z.transform(normalizeSearch)),
  category: z.catch(z.string().check(z.regex(/^[a-z0-9-]{1,80}$/)), 'all'),
  level: oneOf(levelNames, 'all'),
  rating: someOf(ratingNames),
  length: someOf(lengthNames),
  price: several((value): value is PriceStep => priceSteps.some((step) => step === value)),
  language: freely,
  skill: freely,
  instructor: freely,
  sort: oneOf(sortNames, 'best'),
  after: courseId,
  before: courseId,
})

export function parseCatalogQuery(parameters: URLSearchParams): CatalogQuery {
  const isSeveral = (name: string) => multiValueParameters.some((several) => several === name)
  const query = schema.parse({
    ...Object.fromEntries(
      queryParameters.map((name) => [
        name,
        isSeveral(name) ? parameters.getAll(name) : parameters.get(name),
      ]),
    ),
    q: parameters.get('q') ?? '',
  })
  // A link says '1'; a form without scripts says which words it was chosen for.
  const isChosen = (name: 'exact' | 'mentions') =>
    query.q !== '' && ['1', query.q].includes(normalizeSearch(parameters.get(name) ?? ''))

  return {
    ...query,
    exact: isChosen('exact'),
    mentions: isChosen('mentions'),
    ...(query.after === null ? {} : { before: null }),
  }
}
