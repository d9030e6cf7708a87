import { lazy, Suspense } from 'react'
import { ButtonLink } from '~/ui/button'
import { HeaderLink } from '~/ui/site-header'
import { useAuth } from './auth-provider'

/** Only learners load it. Where it can't be loaded, a link leads to what it offers. */
const LearnerMenu = lazy(() =>
  import('./learner-menu').then(
    (module) => ({ default: module.LearnerMenu }),
    () => ({ default: ProfileLink }),
  ),
)

/** The part of the top bar that the session decides: the same for everybody until a learner is known. */
export function SessionMenu() {
  const { user } = useAuth()
  if (!user) return <VisitorLinks />
  return (
    <Suspense fallback={<VisitorLinks />}>
      <LearnerMenu user={user} />
    </Suspense>
  )
}

function VisitorLinks() {
  return (
    <>
      <HeaderLink to="/Login">Login</HeaderLink>
      <ButtonLink to="/SignUp">Sign Up</ButtonLink>
    </>
  )
}

function ProfileLink() {
  return <HeaderLink to="/Profile">Profile</HeaderLink>
}
