import { Suspense, use } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { ScriptNonce } from '~/ui/hooks'
import { lazyComponent } from '~/ui/lazy-component'
import { HeaderLink } from '~/ui/site-header'
import { useAuth } from './auth-provider'
import type { SessionUser } from './session-user.server'

/** The menu loads only for learners. Until it is loaded, a link leads to the same actions. */
const LearnerMenu = lazyComponent(() =>
  import('./learner-menu').then((module) => module.LearnerMenu),
)

/**
 * The part of the top bar that depends on the session.
 *
 * Pages are cached, so everyone gets the same HTML, with a part for visitors and one for learners.
 * `signedInScript` sets an attribute, and CSS displays one of the parts.
 */
export function SessionMenu() {
  const { user } = useAuth()
  if (!user) {
    return (
      <>
        <span className="contents in-data-signed-in:hidden">
          <HeaderLink to="/Login">Login</HeaderLink>
          <ButtonLink to="/SignUp">Sign Up</ButtonLink>
        </span>
        <span className="hidden in-data-signed-in:contents">
          <RememberedAccount />
        </span>
      </>
    )
  }

  return (
    <Suspense fallback={<RememberedAccount user={user} />}>
      <LearnerMenu user={user} />
    </Suspense>
  )
}

/** The key in the browser's storage for the account that is signed in, or was until it expired. */
const storageKey = 'account'

/** What the top bar displays of an account. */
type DisplayedAccount = Pick<SessionUser, 'firstName' | 'photoURL'>

/**
 * Stores what the top bar displays, for the next page.
 *
 * @param user null once the learner has signed out
 */
export function rememberAccount(user: SessionUser | null): void {
  document.documentElement.toggleAttribute('data-signed-in', user !== null)
  try {
    if (user) {
      const { firstName, photoURL } = user
      const account: DisplayedAccount = { firstName, photoURL }
      localStorage.setItem(storageKey, JSON.stringify(account))
    } else {
      localStorage.removeItem(storageKey)
    }
  } catch {
    // Without storage, the next page first displays a neutral picture and 'Profile'.
  }
}

/**
 * Returns a script that runs before the page is painted. It sets the attribute `data-signed-in`.
 *
 * @param cookieName the name of the cookie that only signed-in browsers have
 */
export function signedInScript(cookieName: string): string {
  return `document.documentElement.toggleAttribute('data-signed-in',document.cookie.split('; ').some(c=>c.startsWith('${cookieName}=')))`
}

/** A script that fills in the stored name and picture before the page is painted. */
const fillScript = `try {
const link = document.currentScript.parentElement
const account = JSON.parse(localStorage.getItem('${storageKey}'))
link.querySelector('span').textContent = account.firstName
if (account.photoURL) link.querySelector('img').src = account.photoURL
} catch {}`

/** A transparent pixel, behind which the circle of the picture is visible. */
const transparentPixel =
  'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

/** Stands in for the menu until the session is known and the menu is loaded. */
function RememberedAccount({ user }: { user?: DisplayedAccount }) {
  const nonce = use(ScriptNonce)
  return (
    <Link
      to="/Profile"
      className="inline-flex min-h-11 max-w-56 items-center gap-2.5 rounded-full py-1 pr-3 pl-1 font-medium hover:bg-sunken"
    >
      <img
        src={user?.photoURL ?? transparentPixel}
        alt=""
        width={32}
        height={32}
        suppressHydrationWarning
        className="size-8 shrink-0 rounded-full bg-accent-soft object-cover"
      />
      <span suppressHydrationWarning className="truncate">
        {user?.firstName ?? 'Profile'}
      </span>
      {!user && <script nonce={nonce}>{fillScript}</script>}
    </Link>
  )
}
