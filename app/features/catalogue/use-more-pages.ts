import { useEffect, useState } from 'react'
import { useFetcher, useLocation } from 'react-router'
import { addressOfQuery, type CatalogueQuery } from './search/catalogue-query'
import type { CatalogueCourse, CatalogueResult } from './search/catalogue-result'

type Added = { courses: CatalogueCourse[]; next: string | null }
export type MorePages = Added & {
  loading: boolean
  showMore(): void
}

/**
 * What was added to which entry of the history, so that going back finds the list as it was left; forgotten with the tab.
 */
const addedPages = new Map<string, Added>()
const mostEntries = 20

/** The courses of this page and of those that were added to it. */
export function useMorePages(query: CatalogueQuery, result: CatalogueResult): MorePages {
  const { key } = useLocation()
  const entry = `${key} ${addressOfQuery(query)} ${result.next}`
  const { data, state, load } = useFetcher<{ query: CatalogueQuery; result: CatalogueResult }>()
  const [wanted, setWanted] = useState<{ entry: string; after: string } | null>(null)
  const added = addedPages.get(entry) ?? { courses: [], next: result.next }
  const { next } = added

  useEffect(() => {
    if (!data || wanted?.entry !== entry || data.query.after !== wanted.after || next !== wanted.after) return
    setWanted(null)
    const shown = new Set([...result.courses, ...added.courses].map(({ id }) => id))
    const fresh = data.result.courses.filter(({ id }) => !shown.has(id))
    addedPages.set(entry, { courses: [...added.courses, ...fresh], next: data.result.next })
    for (const oldest of addedPages.keys()) {
      if (addedPages.size <= mostEntries) break
      addedPages.delete(oldest)
    }
    focusCourse(fresh[0])
  }, [data, wanted, entry, next, result, added])

  const showMore = () => {
    if (next === null) return
    setWanted({ entry, after: next })
    void load(addressOfQuery({ ...query, before: null, after: next }))
  }
  const loading = wanted?.entry === entry && state !== 'idle'
  return { ...added, courses: [...result.courses, ...added.courses], loading, showMore }
}

/** Who goes on by keyboard goes on with the first course that was added. */
function focusCourse(course: CatalogueCourse | undefined): void {
  if (!course) return
  requestAnimationFrame(() => {
    const link = document.querySelector<HTMLElement>(`main a[href="/OneCourse/${CSS.escape(course.id)}"]`)
    link?.focus({ preventScroll: true })
  })
}
