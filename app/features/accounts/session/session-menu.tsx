import { lazy, Suspense } from 'react'
import { ButtonLink } from '~/ui/button'
import { HeaderLink } from '~/ui/site-header'
import { useAuth } from './auth-provider'
import { RememberedAccount } from './remembered-account'

/** Loaded only for learners. If it can't be loaded, a link leads to the same actions. */
const LearnerMenu = lazy(() =>
  import('./learner-menu').then(
    (module) => ({ default: module.LearnerMenu }),
    () => ({ default: ProfileLink }),
  ),
)

/** The part of the top bar that depends on the session: the same HTML for everyone, of which CSS shows one half. */
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
