import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { addressOfQuery, type CatalogueQuery } from './search/catalog-query'

type CatalogueLinkProps = Omit<ComponentProps<typeof Link>, 'to'> & { query: CatalogueQuery }

/** Changes what the list shows; the page stands still. */
export function CatalogueLink({ query, ...rest }: CatalogueLinkProps) {
  return <Link to={addressOfQuery(query)} preventScrollReset {...rest} />
}
