import { LogOut } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation, useRevalidator, useSearchParams } from 'react-router'
import { emailVerifiedNotice, findNotice } from '~/features/accounts/form/form-messages'
import { useAuth } from '~/features/accounts/session/auth-provider'
import { LogoutButton } from '~/features/accounts/session/learner-menu'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { Celebrations } from '~/features/achievements/celebrations'
import { findProfileSection, ProfileLayout } from '~/features/profile/profile-layout'
import { profileMessages } from '~/features/profile/profile-messages'
import { formatMonth } from '~/ui/format-date'
import { LoadingScreen } from '~/ui/navigation-progress'
import { Notice } from '~/ui/notice'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/profile'

export function meta({ location, matches }: Route.MetaArgs) {
  const section = findProfileSection(location.pathname)
  const title =
    section?.id === 'overview'
      ? 'Profile'
      : (section?.label ?? profileMessages.sectionNotFound.heading)

  return pageMeta({
    title,
    description: 'Your courses, progress, scores and settings.',
    path: null,
    matches,
  })
}

export function loader({ context }: Route.LoaderArgs) {
  return context.get(signedInLearner)
}

export default function ProfileRoute({ loaderData: learner }: Route.ComponentProps) {
  const { user, isSessionKnown } = useAuth()
  const { revalidate } = useRevalidator()
  const [wasSignedIn, setWasSignedIn] = useState(false)
  if (user && !wasSignedIn) {
    setWasSignedIn(true)
  }

  const isOtherLearner = user !== null && user.uid !== learner.uid
  useEffect(() => {
    // Another learner has signed in, in another tab.
    if (isOtherLearner) {
      revalidate()
    }
  }, [isOtherLearner, revalidate])

  const joinedText = learner.createdAt
    ? `Joined ${formatMonth(learner.createdAt, learner.displayTimezone)}`
    : 'Recently joined'

  const page = (
    <ProfileLayout
      learner={learner}
      joinedText={joinedText}
      section={findProfileSection(useLocation().pathname)}
      logoutButton={
        <LogoutButton className="flex min-h-11 w-full items-center gap-3 rounded-control px-3.5 text-left font-medium text-muted hover:bg-sunken hover:text-ink">
          <LogOut aria-hidden="true" size={18} className="shrink-0" /> Logout
        </LogoutButton>
      }
    >
      {learner.emailVerified && <EmailVerifiedNotice />}
      <Outlet />
      <Celebrations uid={learner.uid} />
    </ProfileLayout>
  )

  if (!isSessionKnown || isOtherLearner) {
    return <LoadingPage>{page}</LoadingPage>
  }

  // A learner who signs out goes to the home page. A visitor goes to the login page.
  return user ? page : <Navigate to={wasSignedIn ? '/' : '/Login'} replace />
}

/**
 * Says that the email address is confirmed, after the learner opened the link. Other notices are on
 * the login page.
 */
function EmailVerifiedNotice() {
  const [search] = useSearchParams()
  const notice =
    search.get('notice') === emailVerifiedNotice ? findNotice(emailVerifiedNotice) : null

  return (
    notice && (
      <Notice variant={notice.variant} className="mb-6">
        {notice.text}
      </Notice>
    )
  )
}

/**
 * Shows a loading screen until the session is known. Without JavaScript, the page is shown instead.
 */
function LoadingPage({ children }: { children: ReactNode }) {
  return (
    <>
      <LoadingScreen>{`Loading ${siteName()}...`}</LoadingScreen>
      <noscript>{children}</noscript>
    </>
  )
}
