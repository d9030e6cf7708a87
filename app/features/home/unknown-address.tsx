import { HomePage } from './home-page'
import type { getHome } from './home-queries.server'

/** What every address shows that does not exist. */
export function UnknownAddress({ home }: { home: Awaited<ReturnType<typeof getHome>> }) {
  return (
    <>
      <p className="border-line border-b bg-warn-soft px-4 py-2.5 text-center font-medium text-warn">
        We couldn’t find that page. Here’s the home page instead.
      </p>
      <HomePage home={home} />
    </>
  )
}

export const unknownAddressMeta = {
  title: 'Page not found',
  description: 'We couldn’t find that page. Here’s the home page instead.',
  path: null,
} as const
