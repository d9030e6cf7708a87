import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import { type ReactNode, Suspense, use, useEffect } from 'react'
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useRevalidator,
  useRouteError,
  useRouteLoaderData,
} from 'react-router'
import { catalogPath } from '~/features/catalog/search/catalog-query'
import { SiteSearch } from '~/features/catalog/search/search-box'
import { OwnCoursesProvider } from '~/features/enrollment/own-courses'
import { RunningExamsContext } from '~/features/exams/attempt/running-exams'
import { refuseChangesInMaintenance } from '~/server/http/maintenance.server'
import { recordRoute, refuseInvalidParams } from '~/server/http/route-params.server'
import { describeErrorResponse, isUnreachable } from '~/ui/connection'
import { NavigationLine } from '~/ui/navigation-progress'
import { FailureReference } from '~/ui/not-found-page'
import { currentBrand } from './brand.server'
import { AuthProvider, useIsSigningIn } from './features/accounts/session/auth-provider'
import {
  rememberAccount,
  SessionMenu,
  signedInScript,
} from './features/accounts/session/session-menu'
import type { SessionUser } from './features/accounts/session/session-user.server'
import { signedInCookieName } from './features/accounts/session/signed-in-cookie.server'
import { outbox } from './outbox/outbox'
import { env } from './server/env.server'
import { type Brand, BrandContext, shippedBrand } from './ui/brand'
import { ButtonLink } from './ui/button'
import { isSamePage } from './ui/compare-paths'
import { ScriptNonce } from './ui/hooks'
import { lazyComponent } from './ui/lazy-component'
import { NoConnection } from './ui/not-found-page'
import { SiteFooter } from './ui/site-footer'
import { SiteHeader } from './ui/site-header'
import { siteName } from './ui/site-name'
import { StarShape } from './ui/stars'
import theme from './ui/theme.css?url'
import { themeScript } from './ui/theme-switch'
import { refreshViewer, useViewer, useViewerRequests } from './viewer'

export const links = () => [
  {
    rel: 'preload',
    href: figtree,
    as: 'font',
    type: 'font/woff2',
    crossOrigin: 'anonymous' as const,
  },
  { rel: 'manifest', href: '/site.webmanifest' },
]

export const middleware = [recordRoute, refuseInvalidParams, refuseChangesInMaintenance]

/** Loads the values that every page needs. They change only when an owner edits the site. */
export function loader() {
  return {
    origin: env.PUBLIC_URL,
    signedInCookieName: signedInCookieName(env.PUBLIC_URL),
    brand: currentBrand(),
  }
}

export function shouldRevalidate({ formAction }: ShouldRevalidateFunctionArgs) {
  return /^\/Desk\/Site/i.test(formAction ?? '')
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(ScriptNonce)
  const { signedInCookieName: cookieName, brand = shippedBrand } =
    useRouteLoaderData<typeof loader>('root') ?? {}

  return (
    <html lang="en" data-site={brand.name}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0d0f1a" media="(prefers-color-scheme: dark)" />
        <script nonce={nonce}>{themeScript}</script>
        {cookieName && <script nonce={nonce}>{signedInScript(cookieName)}</script>}
        {/* A style sheet with a precedence is loaded before the scripts, which the first paint does not need. */}
        <link rel="stylesheet" href={theme} precedence="default" />
        {brand.style && <link rel="stylesheet" href={brand.style} precedence="default" />}
        <BrandIcons brand={brand} />
        <Meta />
        <Links />
      </head>
      <body>
        <a
          href="#main"
          className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:bg-surface focus:p-3"
        >
          Skip to content
        </a>
        <StarShape />
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

function BrandIcons({ brand: { icon, touchIcon = '/apple-touch-icon.png' } }: { brand: Brand }) {
  return (
    <>
      {icon ? (
        <link rel="icon" href={icon} />
      ) : (
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      )}
      <link rel="apple-touch-icon" href={touchIcon} />
    </>
  )
}

type PageProps = {
  children: ReactNode
  /**
   * The part of the header that depends on the session. It is null if the server can't be reached.
   */
  account?: ReactNode
}

/** Renders the header, the footer and what pages share around the content of a page. */
function Page({ children, account = <SessionMenu /> }: PageProps) {
  useHydrationAttribute()
  useReloadAfterDelivery()

  const { signedInCookieName: cookieName = '', brand = shippedBrand } =
    useRouteLoaderData<typeof loader>('root') ?? {}
  useViewerRequests(cookieName)
  const { user, enrolledCourseIds, courses, wishedCourseIds, runningExams } = useViewer()

  useEffect(() => {
    const isViewerKnown = user !== undefined
    if (isViewerKnown) {
      rememberAccount(user)
    }
  }, [user])

  const isCatalog = isSamePage(useLocation().pathname, catalogPath)

  return (
    <BrandContext value={brand}>
      <AuthProvider user={user} refreshThisTab={refreshViewer} isSigningIn={useIsSigningIn()}>
        <NavigationLine />
        <div className="flex min-h-dvh flex-col">
          <SiteHeader account={account} search={isCatalog ? null : <SiteSearch />} />
          <main id="main" tabIndex={-1} className="flex-1 scroll-mt-18 outline-none">
            <OwnCoursesProvider
              uid={user === null ? null : user?.uid}
              enrolledCourseIds={enrolledCourseIds}
              courses={courses}
              wishedCourseIds={wishedCourseIds}
              refresh={refreshViewer}
            >
              <RunningExamsContext value={runningExams}>{children}</RunningExamsContext>
            </OwnCoursesProvider>
          </main>
          <SiteFooter />
        </div>
        <LazyLearnerParts user={user} />
      </AuthProvider>
    </BrandContext>
  )
}

const LearnerParts = lazyComponent(() =>
  import('./learner-parts').then((module) => module.LearnerParts),
)

/**
 * Loads and shows the parts of a page that only learners have. Lessons and exams use the whole
 * screen, so they have no phone bar.
 *
 * @param props.user is undefined until the viewer is known, and null for a visitor
 */
function LazyLearnerParts({ user }: { user: SessionUser | null | undefined }) {
  const { pathname } = useLocation()
  const hasPhoneBar = !/^\/(Learn|Exam)\//i.test(pathname)

  useEffect(() => {
    // Until the viewer is known, the course page may have set the attribute from this browser's
    // storage.
    if (user !== undefined) {
      document.documentElement.toggleAttribute('data-phone-bar', user !== null && hasPhoneBar)
    }
  }, [user, hasPhoneBar])

  return (
    user && (
      <Suspense fallback={null}>
        <LearnerParts user={user} hasPhoneBar={hasPhoneBar} />
      </Suspense>
    )
  )
}

/** Sets an attribute that end-to-end tests and an operator's probes wait for. */
function useHydrationAttribute() {
  useEffect(() => {
    document.documentElement.dataset.hydrated = ''
  }, [])
}

/** Reloads the page's data when entries of the outbox have reached the account. */
function useReloadAfterDelivery() {
  const { revalidate } = useRevalidator()
  useEffect(() => outbox.onDeliveryNotShown(() => void revalidate()), [revalidate])
}

export default function App() {
  return (
    <Page>
      <Outlet />
    </Page>
  )
}

/** Shows a page that could not be loaded, with a message that reveals nothing about the server. */
export function ErrorBoundary() {
  const error = useRouteError()
  const { pathname, search } = useLocation()

  if (isUnreachable(error)) {
    return (
      <Page account={null}>
        <NoConnection>
          {/^\/Learn\//i.test(pathname) && (
            <p>Your lesson progress is saved on this device and will sync when you reconnect.</p>
          )}
          {/^\/Exam\//i.test(pathname) && (
            <p>Your exam’s clock keeps running. The answers you’ve given are saved.</p>
          )}
        </NoConnection>
      </Page>
    )
  }

  const errorResponse = isRouteErrorResponse(error) ? error : null
  const status = errorResponse?.status ?? 500
  const heading = getErrorHeading(errorResponse?.status)
  const message = describeErrorResponse(errorResponse ?? { status, data: null })

  return (
    <Page>
      <title>{`${heading} · ${siteName()}`}</title>
      <div className="column py-24 text-center">
        <h1 className="title">{heading}</h1>
        <p className="mx-auto mt-4 max-w-lg text-muted">{message}</p>
        {errorResponse === null && <FailureReference />}
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          {status >= 500 && (
            <ButtonLink to={pathname + search} reloadDocument>
              Reload
            </ButtonLink>
          )}
          <ButtonLink to="/" variant="secondary">
            Go to the home page
          </ButtonLink>
        </div>
      </div>
    </Page>
  )
}

/** @param status the status of an error response, or undefined for an unexpected error */
function getErrorHeading(status: number | undefined): string {
  if (status === 503) {
    return 'We’ll be right back'
  }

  return status === undefined ? 'Something went wrong on our side' : 'That didn’t work'
}
