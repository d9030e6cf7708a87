import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '~/server/database/client.server'
import { categoryNames, levelNames } from '../course-filters'
import { askIndex } from './ask-index.server'
import { type CourseRow, findPlace, listCommonNames, readCards } from './card-queries.server'
import { pickPage } from './catalogue-order'
import { type CatalogueQuery, pageLength } from './catalogue-query'
import type { CatalogueCourse, CatalogueResult } from './catalogue-result'
import type { CourseSet } from './course-set'
import { countOptions, listChosen, listChosenCourses, narrow } from './facet-counts'
import {
  type FacetGroup,
  facetGroups,
  isNamed,
  lengthNames,
  mostNames,
  type NamedGroup,
  namedGroups,
  priceNames,
  ratingNames,
  type Sort,
} from './facets'
import type { Order } from './index-builder'
import { listMarks } from './match-marks'
import { OptionSets } from './option-sets.server'
import { PlaceOrder } from './place-order'
import type { SearchIndex } from './search-index.server'
import { findInstead } from './search-instead.server'
import { findListing, type Listing, tiersOf, union } from './search-listing.server'
import type { SearchPlan } from './search-plan'

/** What each order goes by. */
const orders: Record<Sort, [order: Order, descending?: boolean]> = {
  best: ['students'],
  students: ['students'],
  rated: ['rated'],
  newest: ['newest'],
  'price-up': ['price'],
  'price-down': ['price', true],
}

/** The page of the catalogue that a query asks for. */
export function findCatalogue(db: Database, query: CatalogueQuery): Promise<CatalogueResult> {
  return askIndex(db, (index) => answer(db, index, query))
}

async function answer(db: Database, index: SearchIndex, query: CatalogueQuery): Promise<CatalogueResult> {
  const sets = new OptionSets(index)
  const fixed = fixedValues(index)
  const chosen = facetGroups.flatMap((group) => pairs(group, listChosen(query, group)))
  await sets.read([['listed', ''], ...chosen, ...fixedGroups.flatMap((group) => pairs(group, fixed[group]))])
  const listed = sets.setOf('listed', '')
  const listing = await findListing(db, index, query, listed)
  const chosenCourses = listChosenCourses(query, sets)
  const left = narrowListing(listing, chosenCourses)
  const shown = union(tiersOf(left))
  const found = chosenCourses ? union(tiersOf(listing)) : shown

  const [orderName, descending] = orders[query.sort]
  const order = new PlaceOrder(await index.readRanks(orderName), { descending })
  const pick = (left: Listing, cursor: { after: number | null; before: number | null }) => {
    const tiers = tiersOf(left)
    return pickPage(query.sort === 'best' ? tiers : [union(tiers)], order, { ...cursor, length: pageLength })
  }
  const first = pick(left, { after: null, before: null })
  const isFirst = query.after === null && query.before === null
  const page = isFirst ? first : pick(left, await findCursor(index, query))
  const placesNaming = mapGroups(namedGroups, (group) => {
    if (listChosen(query, group).length === 0) return first.places
    const others = narrowListing(listing, listChosenCourses(query, sets, group))
    return pick(others, { after: null, before: null }).places
  })
  const [cardsOf, counts] = await Promise.all([
    readCards(index, [...page.places, ...Object.values(placesNaming).flat()]),
    whileReading(() => countOptions({ found, shown }, query, fixed, sets)),
  ])
  const cards = cardsOf(page.places)
  const names = mapGroups(namedGroups, (group) => listCommonNames(cardsOf(placesNaming[group]), group, mostNames))
  await sets.read(namedGroups.flatMap((group) => pairs(group, names[group])))
  const total = shown.size
  return {
    courses: cards.map((card) => withMarks(card, listing.plan)),
    total,
    matches: {
      exact: left.exact.reduce((sum, { size }) => sum + size, 0),
      mention: left.mention.size,
    },
    showsMentions: listing.showsMentions,
    corrected: listing.corrected,
    facets: { ...counts, ...countOptions({ found, shown }, query, names, sets) },
    next: page.hasNext ? (cards.at(-1)?.id ?? null) : null,
    previous: page.hasPrevious ? (cards[0]?.id ?? null) : null,
    instead: total > 0 ? null : await findInstead(db, index, query, { listing, listed, sets, chosenCourses }),
  }
}

/** What is left of a listing. @param chosen null for all. */
function narrowListing(listing: Listing, chosen: CourseSet | null): Listing {
  return {
    ...listing,
    exact: listing.exact.map((tier) => narrow(tier, chosen)),
    mention: narrow(listing.mention, chosen),
  }
}

async function findCursor(index: SearchIndex, { after, before }: CatalogueQuery) {
  return {
    after: after === null ? null : await findPlace(index, after),
    before: before === null ? null : await findPlace(index, before),
  }
}

function mapGroups<Group extends FacetGroup, Value>(
  groups: readonly Group[],
  make: (group: Group) => Value,
): Record<Group, Value> {
  return Object.fromEntries(groups.map((group) => [group, make(group)])) as Record<Group, Value>
}

const pairs = (group: FacetGroup, values: readonly string[]) => values.map((value) => [group, value] as const)

/** The groups whose options are the same for every search; those of names follow from its courses. */
type FixedGroup = Exclude<FacetGroup, NamedGroup>
const fixedGroups = facetGroups.filter((group): group is FixedGroup => !isNamed(group))

/** Works once the database has been asked what the same turn asks it: it answers meanwhile. */
async function whileReading<Result>(work: () => Result): Promise<Result> {
  // The connection writes at the end of a turn, after this one's own.
  await nextTurn()
  await nextTurn()
  return work()
}

function fixedValues({ kept }: SearchIndex): Record<FixedGroup, readonly string[]> {
  const keysOf = (names: Record<string, string>) => Object.keys(names).filter((name) => name !== 'all')
  return {
    category: keysOf(categoryNames),
    level: keysOf(levelNames),
    // An integer among the keys would come first.
    rating: keysOf(ratingNames).sort((a, b) => Number(b) - Number(a)),
    length: keysOf(lengthNames).sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b)),
    price: [
      'free',
      ...keysOf(priceNames)
        .filter((step) => step !== 'free')
        .sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b)),
    ],
    language: kept.languages,
  }
}

function withMarks({ skills: _skills, ...card }: CourseRow, plan: SearchPlan | null): CatalogueCourse {
  const marksOf = (text: string) => (plan ? listMarks(text, plan) : [])
  return {
    ...card,
    marks: { title: marksOf(card.title), summary: marksOf(card.summary), instructorName: marksOf(card.instructorName) },
  }
}
