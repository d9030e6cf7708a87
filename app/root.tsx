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
import { RunningExams } from '~/features/exams/attempt/running-exams'
import { refuseChangesInMaintenance } from '~/server/http/maintenance.server'
import { noteRoute, refuseOddParams } from '~/server/http/route-params.server'
import { describeErrorResponse, isUnreachable } from '~/ui/connection'
import { NavigationLine } from '~/ui/navigation-progress'
import { FailureReference } from '~/ui/not-found-page'
import { currentBrand } from './brand.server'
import type { SessionUser } from './features/accounts/account-queries.server'
import { signedInCookieName } from './features/accounts/session/auth.server'
import { AuthProvider, useIsSigningIn } from './features/accounts/session/auth-provider'
import {
  rememberAccount,
  SessionMenu,
  signedInScript,
} from './features/accounts/session/session-menu'
import { outbox } from './outbox/outbox'
import { env } from './server/env.server'
import { type Brand, BrandContext, shippedBrand } from './ui/brand'
import { ButtonLink } from './ui/button'
import { lazyPart } from './ui/lazy-part'
import { NoConnection } from './ui/not-found-page'
import { ScriptNonce } from './ui/script-nonce'
import { SiteFooter } from './ui/site-footer'
import { SiteHeader } from './ui/site-header'
import { siteName } from './ui/site-name'
import { StarShape } from './ui/stars'
import theme from './ui/theme.css?url'
import { themeScript } from './ui/theme-switch'
import { refreshViewer, useViewer, useViewerQuestion } from './viewer'

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

export const middleware = [noteRoute, refuseOddParams, refuseChangesInMaintenance]

/**
 * Rarely changes: the public address, its cookie's name, and the school's look, which owners set.
 */
export function loader() {
  return {
    origin: env.PUBLIC_URL,
    signedInCookieName: signedInCookieName(env.PUBLIC_URL),
    brand: currentBrand(),
  }
}

export function shouldRevalidate({ formAction }: ShouldRevalidateFunctionArgs) {
  return formAction?.startsWith('/Desk/Site') ?? false
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(ScriptNonce)
  const { signedInCookieName: marker, brand = shippedBrand } =
    useRouteLoaderData<typeof loader>('root') ?? {}

  return (
    <html lang="en" data-site={brand.name}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0d0f1a" media="(prefers-color-scheme: dark)" />
        <script nonce={nonce}>{themeScript}</script>
        {marker && <script nonce={nonce}>{signedInScript(marker)}</script>}
        {/* With a precedence it is loaded before the scripts, which the first paint does not need. */}
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

/** @param account null where the session can't be known. */
function Page({
  children,
  account = <SessionMenu />,
}: {
  children: ReactNode
  account?: ReactNode
}) {
  useHydrationMark()
  useOtherDeliveries()
  const { signedInCookieName: marker = '', brand = shippedBrand } =
    useRouteLoaderData<typeof loader>('root') ?? {}
  useViewerQuestion(marker)
  const { user, uid, enrolled, courses, wished, exams } = useViewer()
  const known = enrolled !== null
  const isCatalog = useLocation().pathname.toLowerCase() === catalogPath.toLowerCase()
  useEffect(() => {
    if (known) {
      rememberAccount(user ?? null)
    }
  }, [known, user])

  return (
    <BrandContext value={brand}>
      <AuthProvider user={user} refresh={refreshViewer} isSigningIn={useIsSigningIn()}>
        <NavigationLine />
        <div className="flex min-h-dvh flex-col">
          <SiteHeader account={account} search={isCatalog ? null : <SiteSearch />} />
          <main id="main" tabIndex={-1} className="flex-1 scroll-mt-18 outline-none">
            <OwnCoursesProvider {...{ uid, enrolled, courses, wished }} refresh={refreshViewer}>
              <RunningExams value={exams}>{children}</RunningExams>
            </OwnCoursesProvider>
          </main>
          <SiteFooter />
        </div>
        <PartsOfLearner user={user} />
      </AuthProvider>
    </BrandContext>
  )
}

const LearnerParts = lazyPart(() => import('./learner-parts').then((module) => module.LearnerParts))

/** Only learners load it. A lesson and an exam have the whole screen, without the phone's bar. */
function PartsOfLearner({ user }: { user: SessionUser | null | undefined }) {
  const { pathname } = useLocation()
  const bar = !/^\/(Learn|Exam)\//i.test(pathname)
  useEffect(() => {
    // Until the session is known, the course page may have set it from this browser's storage.
    if (user !== undefined) {
      document.documentElement.toggleAttribute('data-phone-bar', user !== null && bar)
    }
  }, [user, bar])

  return (
    user && (
      <Suspense fallback={null}>
        <LearnerParts user={user} bar={bar} />
      </Suspense>
    )
  )
}

/** Journeys and an operator's probes wait for this attribute. */
function useHydrationMark() {
  useEffect(() => {
    document.documentElement.dataset.hydrated = ''
  }, [])
}

/** Outbox entries have reached the account: reload the page's data. */
function useOtherDeliveries() {
  const { revalidate } = useRevalidator()
  useEffect(() => outbox.onUnhandledDelivery(() => void revalidate()), [revalidate])
}

export default function App() {
  return (
    <Page>
      <Outlet />
    </Page>
  )
}

/** @param status of a refusal; undefined for a failure. */
function headingOf(status: number | undefined): string {
  if (status === 503) {
    return 'We’ll be right back'
  }

  return status === undefined ? 'Something went wrong on our side' : 'That didn’t work'
}

/** The error page: a sentence without internals. */
export function ErrorBoundary() {
  const error = useRouteError()
  const { pathname, search } = useLocation()
  const refused = isRouteErrorResponse(error) ? error : null
  const unexpected = refused === null && !isUnreachable(error)
  if (isUnreachable(error)) {
    return (
      <Page account={null}>
        <NoConnection>
          {pathname.startsWith('/Learn/') && (
            <p>Your lesson progress is saved on this device and will sync when you reconnect.</p>
          )}
          {pathname.startsWith('/Exam/') && (
            <p>Your exam’s clock keeps running. The answers you’ve given are saved.</p>
          )}
        </NoConnection>
      </Page>
    )
  }

  const sentence = describeErrorResponse(refused ?? { status: 500, data: null })
  const heading = headingOf(refused?.status)

  return (
    <Page>
      <title>{`${heading} · ${siteName()}`}</title>
      <div className="column py-24 text-center">
        <h1 className="title">{heading}</h1>
        <p className="mx-auto mt-4 max-w-lg text-muted">{sentence}</p>
        {unexpected && <FailureReference />}
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          {(refused?.status ?? 500) >= 500 && (
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
