import { useLocation } from 'react-router'
import { ButtonLink } from './button'

/**
 * Links to the next page of a long list, and back to the first.
 *
 * @param next the query parameter `after` of the next page, or null on the last page
 */
export function Pager({ next }: { next: string | null }) {
  const { search } = useLocation()
  const query = new URLSearchParams(search)
  const isFirst = !query.has('after')
  if (isFirst && next === null) {
    return null
  }

  const getPageUrl = (after: string | null) => {
    const pageQuery = new URLSearchParams(query)
    pageQuery.delete('after')
    if (after !== null) {
      pageQuery.set('after', after)
    }

    return `?${pageQuery}`
  }

  return (
    <nav aria-label="Pages" className="mt-5 flex flex-wrap gap-3">
      {!isFirst && (
        <ButtonLink to={getPageUrl(null)} variant="secondary">
          First page
        </ButtonLink>
      )}
      {next !== null && (
        <ButtonLink to={getPageUrl(next)} variant="secondary">
          Next page
        </ButtonLink>
      )}
    </nav>
  )
}
