import type { ComponentProps } from 'react'
import { Link } from '~/ui/link'
import { addressOfQuery, type CatalogueQuery } from './search/catalogue-query'

/** The id of the line that says how many courses are shown. */
export const courseCount = 'course-count'

type CatalogueLinkProps = Omit<ComponentProps<typeof Link>, 'to'> & { query: CatalogueQuery }

/** Changes what the list shows and goes with what it changes: the focus goes on to the count, the page stands still. */
export function CatalogueLink({ query, ...rest }: CatalogueLinkProps) {
  return <Link to={addressOfQuery(query)} preventScrollReset onClick={focusCount} {...rest} />
}

export function focusCount(): void {
  document.getElementById(courseCount)?.focus({ preventScroll: true })
}
