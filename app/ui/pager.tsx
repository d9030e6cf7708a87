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

  const addressOf = (after: string | null) => {
    const changed = new URLSearchParams(query)
    changed.delete('after')
    if (after !== null) {
      changed.set('after', after)
    }

    return `?${changed}`
  }

  return (
    <nav aria-label="Pages" className="mt-5 flex flex-wrap gap-3">
      {!isFirst && (
        <ButtonLink to={addressOf(null)} variant="secondary">
          First page
        </ButtonLink>
      )}
      {next !== null && (
        <ButtonLink to={addressOf(next)} variant="secondary">
          Next page
        </ButtonLink>
      )}
    </nav>
  )
}
