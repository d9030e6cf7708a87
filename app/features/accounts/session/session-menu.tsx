import { lazy, Suspense, use } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { ScriptNonce } from '~/ui/script-nonce'
import { HeaderLink } from '~/ui/site-header'
import type { SessionUser } from '../account-queries.server'
import { useAuth } from './auth-provider'

/** Loaded only for learners. If it can't be loaded, a link leads to the same actions. */
const LearnerMenu = lazy(() =>
  import('./learner-menu').then(
    (module) => ({ default: module.LearnerMenu }),
    () => ({ default: ProfileLink }),
  ),
)

/**
 * The part of the top bar that depends on the session: the same HTML for everyone, of which CSS
 * shows one half.
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

function ProfileLink() {
  return <HeaderLink to="/Profile">Profile</HeaderLink>
}

/** The name and picture of the learner who was signed in last, in this browser's storage. */
const storageKey = 'account'

type Remembered = Pick<SessionUser, 'firstName' | 'photoURL'>

const shownOf = ({ firstName, photoURL }: SessionUser): Remembered => ({ firstName, photoURL })

/** @param user null once the learner has signed out. */
export function rememberAccount(user: SessionUser | null): void {
  document.documentElement.toggleAttribute('data-signed-in', user !== null)
  try {
    if (user) {
      localStorage.setItem(storageKey, JSON.stringify(shownOf(user)))
    } else {
      localStorage.removeItem(storageKey)
    }
  } catch {
    // Without storage, the next page shows a neutral picture and 'Profile' first.
  }
}

/**
 * Runs before the page is painted. The HTML is the same for everyone; CSS switches parts of it by
 * this attribute.
 *
 * @param marker the name of the cookie that only signed-in browsers have.
 */
export function signedInScript(marker: string): string {
  return `document.documentElement.toggleAttribute('data-signed-in',document.cookie.split('; ').some(c=>c.startsWith('${marker}=')))`
}

/** Fills in the name and picture of last time, before the page is painted. */
const fillScript = `try{const l=document.currentScript.parentElement,a=JSON.parse(localStorage.getItem('${storageKey}'));l.querySelector('span').textContent=a.firstName;if(a.photoURL)l.querySelector('img').src=a.photoURL}catch{}`

/** A transparent pixel: the circle behind it shows. */
const noPhoto = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

/** The learner's place in the top bar until the session is known and its menu is loaded. */
function RememberedAccount({ user }: { user?: Remembered }) {
  const nonce = use(ScriptNonce)
  return (
    <Link
      to="/Profile"
      className="inline-flex min-h-11 max-w-56 items-center gap-2.5 rounded-full py-1 pr-3 pl-1 font-medium hover:bg-sunken"
    >
      <img
        src={user?.photoURL ?? noPhoto}
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
