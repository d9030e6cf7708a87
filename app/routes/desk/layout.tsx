/**
 * The layout of all pages below /Desk: the menu of sections beside the page. It responds with 404
 * to everyone who is not staff.
 */
import { Link, Outlet, useLocation } from 'react-router'
import { findRememberedSeparator } from '~/features/desk/csv-separator-cookie.server'
import type { DeskLayoutContext } from '~/features/desk/desk-page'
import {
  identifyStaff,
  requireStaff,
  respondUnknownPage,
} from '~/features/desk/desk-request.server'
import { listDeskSections } from '~/features/desk/desk-sections.server'
import { UnknownPageBoundary } from '~/features/desk/unknown-page-boundary'
import { unknownPageMeta } from '~/features/home/home-page'
import { siteTimeZone } from '~/server/site/site.server'
import { isPageOrBelow, isSamePage } from '~/ui/compare-paths'
import { pageMeta } from '~/ui/page-meta'
import proseStyle from '~/ui/prose-text.css?url'
import type { Route } from './+types/layout'

/** Everybody who is not staff gets an unknown page for every path below /Desk. */
export const middleware = [identifyStaff]

export const links = () => [{ rel: 'stylesheet', href: proseStyle }]

/** A URL of the desk may hold a search text, so it must not be cached or sent as a referrer. */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { staff, user } = await requireStaff(context)
  return {
    sections: listDeskSections(staff),
    timeZone: user.displayTimezone,
    schoolTimeZone: siteTimeZone(),
    csvSeparator: findRememberedSeparator(request),
  }
}

export const action = respondUnknownPage

export function meta({ loaderData, error, matches }: Route.MetaArgs) {
  if (!loaderData || error) {
    return pageMeta({ ...unknownPageMeta, matches })
  }

  return pageMeta({
    title: 'Desk',
    description: 'The desk of this school.',
    path: null,
    matches,
  })
}

export const ErrorBoundary = UnknownPageBoundary

/** Shows the menu of the desk beside one of its pages. */
export default function DeskLayout({ loaderData }: Route.ComponentProps) {
  const { sections, timeZone, schoolTimeZone, csvSeparator } = loaderData
  const context: DeskLayoutContext = { timeZone, schoolTimeZone, csvSeparator }
  const { pathname } = useLocation()

  return (
    <div className="column grid gap-6 py-6 lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-10 lg:py-10">
      <nav aria-label="Desk" className="min-w-0 lg:sticky lg:top-24 lg:self-start">
        <ul className="-mx-3 flex flex-wrap gap-x-1 lg:mx-0 lg:grid lg:gap-1">
          {sections.map(({ path, label }) => (
            <li key={path}>
              <Link
                to={path}
                aria-current={getAriaCurrent(path, pathname)}
                className="flex min-h-11 items-center whitespace-nowrap rounded-control px-3 lg:px-3.5 font-medium text-muted no-underline hover:bg-sunken hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-accent-strong"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">
        <Outlet context={context} />
      </div>
    </div>
  )
}

/** Returns 'page' for the section's own page, and 'true' for the pages below it. */
function getAriaCurrent(sectionPath: string, pathname: string): 'page' | 'true' | undefined {
  if (isSamePage(pathname, sectionPath)) {
    return 'page'
  }

  // The previews of courses are not below the section of courses.
  const sectionOfPage = isPageOrBelow(pathname, '/Desk/preview') ? '/Desk/courses' : pathname
  const isBelowSection = sectionPath !== '/Desk' && isPageOrBelow(sectionOfPage, sectionPath)

  return isBelowSection ? 'true' : undefined
}
