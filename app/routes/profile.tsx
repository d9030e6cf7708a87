import { LogOut } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { data, Navigate, type ShouldRevalidateFunctionArgs, useRevalidator, useSearchParams } from 'react-router'
import { useAuth } from '~/features/accounts/auth-provider'
import { LogoutButton } from '~/features/accounts/logout-dialog'
import { getOwnership } from '~/features/accounts/own-data-deletion.server'
import { OwnDataSection, ownDataAddress } from '~/features/accounts/own-data-section'
import { PersonalInfoSection } from '~/features/accounts/personal-info-section'
import { type SettingsResult, saveSettings } from '~/features/accounts/settings-saving.server'
import { SettingsSection } from '~/features/accounts/settings-section'
import { CertificateList } from '~/features/learning/certificate/certificate-list'
import { listCertificates, listWaitingCertificates } from '~/features/learning/certificate/certificate-queries.server'
import { forgetBrowserEnrollments } from '~/features/learning/enrollment/browser-enrollments'
import { issueWaitingCertificates } from '~/features/learning/finished-work.server'
import { forgetNoteDrafts } from '~/features/learning/lesson/note-draft'
import { forgetKeptReports } from '~/features/learning/lesson/report/kept-reports'
import { AchievementsSection } from '~/features/learning/profile/achievements-section'
import { CurrentCoursesSection } from '~/features/learning/profile/current-courses-section'
import { ExamScoresSection } from '~/features/learning/profile/exam-scores-section'
import { findLearnerRecord } from '~/features/learning/profile/learner-record-queries.server'
import { OverviewSection } from '~/features/learning/profile/overview-section'
import { ProfileLayout, SectionHeading } from '~/features/learning/profile/profile-layout'
import { findProfileSection } from '~/features/learning/profile/profile-sections'
import { SectionNotFound } from '~/features/learning/profile/section-not-found'
import { demoRefusal } from '~/server/auth/shared-demo.server'
import { accountService } from '~/server/auth.server'
import { db } from '~/server/database/client.server'
import { fileStore } from '~/server/files.server'
import { reportError } from '~/server/log.server'
import { requireLearner } from '~/server/session.server'
import { ButtonLink } from '~/ui/button'
import { answerOr } from '~/ui/connection'
import { dateText, monthText } from '~/ui/date-text'
import { LoadingScreen } from '~/ui/loading-screen'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/profile'

export function meta({ params, matches }: Route.MetaArgs) {
  const section = findProfileSection(params.section)
  const title = section?.id === 'overview' ? 'Profile' : (section?.label ?? 'Section not found')
  return pageMeta({ title, description: 'Your courses, progress, scores and settings.', path: null, matches })
}

export function headers() {
  return { 'Cache-Control': 'no-store' }
}

export async function loader({ request, params }: Route.LoaderArgs) {
  const learner = await requireLearner(request)
  await issueWaitingCertificates(db, new Date(), learner.uid).catch((error) => reportError(error, { request }))
  const record = await findLearnerRecord(db, learner.uid).catch((error) => {
    reportError(error, { request })
    return null
  })
  const section = findProfileSection(params.section)
  const certificates = section?.id === 'achievements' && record ? await listCertificates(db, learner.uid) : []
  const waiting = section?.id === 'achievements' && record ? await listWaitingCertificates(db, learner.uid) : []
  const ownership = section?.id === 'settings' ? await getOwnership(db, learner.uid) : null
  const status = section ? 200 : 404
  return data({ learner, record, certificates, waiting, ownership, now: new Date().toISOString() }, { status })
}

export async function action({ request, params }: Route.ActionArgs) {
  const learner = await requireLearner(request)
  if (params.section !== 'settings') throw data('This section has no form.', { status: 405 })
  const refused = demoRefusal(learner.uid, 'profile')
  if (refused) return data<SettingsResult>({ saved: false, errors: {}, formError: refused }, { status: 403 })
  const { attempts } = accountService
  const { status, result, headers } = await saveSettings({ db, files: fileStore, attempts }, learner.uid, request)
  return data(result, { status, headers })
}

/** Without an answer the page stays as it is, with what was typed. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return answerOr(serverAction, (formError) => ({ saved: false, errors: {}, formError }))
}

/** Nothing is left to read once the account is deleted, and nothing can be read when no answer came. */
export function shouldRevalidate(change: ShouldRevalidateFunctionArgs) {
  const { actionResult, formAction, defaultShouldRevalidate } = change
  return formAction !== ownDataAddress && !actionResult?.formError && defaultShouldRevalidate
}

export default function ProfileRoute(props: Route.ComponentProps) {
  const { user, loading } = useAuth()
  const { revalidate } = useRevalidator()
  const [wasSignedIn, setWasSignedIn] = useState(false)
  const [deleted, setDeleted] = useState(false)
  const onDeleted = useCallback(() => setDeleted(true), [])
  if (user && !wasSignedIn) setWasSignedIn(true)

  const otherLearner = user !== null && user.uid !== props.loaderData.learner.uid
  useEffect(() => {
    // Somebody else signed in, in another tab.
    if (otherLearner) revalidate()
  }, [otherLearner, revalidate])

  if (loading || otherLearner) return <Waiting {...props} onDeleted={onDeleted} />
  if (!user && deleted) return <Navigate to="/Login?notice=account-deleted" replace />
  // Signing out leads home; who was never signed in is asked to.
  if (!user) return <Navigate to={wasSignedIn ? '/' : '/Login'} replace />
  return <Profile {...props} onDeleted={onDeleted} />
}

type ProfileProps = Route.ComponentProps & { onDeleted(): void }

/** Without scripts there is no session to wait for: the server knew it, and the page is there at once. */
function Waiting(props: ProfileProps) {
  return (
    <>
      <LoadingScreen>Loading Learnify...</LoadingScreen>
      <noscript>
        <Profile {...props} />
      </noscript>
    </>
  )
}

function Profile(props: ProfileProps) {
  const { learner } = props.loaderData
  return (
    <ProfileLayout
      learner={learner}
      since={learner.createdAt ? `Joined ${monthText(learner.createdAt, learner.displayTimezone)}` : 'Recently joined'}
      section={findProfileSection(props.params.section)}
      logout={
        <LogoutButton className="flex min-h-11 w-full items-center gap-3 rounded-control px-3.5 text-left font-medium text-muted hover:bg-sunken hover:text-ink">
          <LogOut aria-hidden="true" size={18} className="shrink-0" /> Logout
        </LogoutButton>
      }
    >
      <Section {...props} />
    </ProfileLayout>
  )
}

function Section({ loaderData, actionData, params, onDeleted }: ProfileProps) {
  const { learner, record, certificates, waiting, ownership } = loaderData
  const { refresh, logout } = useAuth()
  const { uid } = learner
  const leave = useCallback(() => {
    onDeleted()
    forgetBrowserEnrollments()
    forgetNoteDrafts(uid)
    void forgetKeptReports(uid).then(logout)
  }, [uid, logout, onDeleted])
  const [parameters] = useSearchParams()
  const now = useMemo(() => new Date(loaderData.now), [loaderData.now])
  switch (findProfileSection(params.section)?.id) {
    case 'overview':
      return <OverviewSection firstName={learner.firstName} record={record} now={now} />
    case 'personal-info':
      return (
        <PersonalInfoSection
          learner={learner}
          joinDate={learner.createdAt ? dateText(learner.createdAt, learner.displayTimezone) : 'Recently joined'}
          lastLogin={dateText(learner.lastLoginAt, learner.displayTimezone)}
          heading={
            <SectionHeading
              action={
                <ButtonLink to="/Profile/settings" look="secondary">
                  Edit
                </ButtonLink>
              }
            >
              Personal Info
            </SectionHeading>
          }
        />
      )
    case 'current-courses':
      return <CurrentCoursesSection record={record} now={now} />
    case 'exam-scores':
      return <ExamScoresSection record={record} />
    case 'achievements':
      return (
        <>
          <AchievementsSection record={record} />
          <CertificateList certificates={certificates} waiting={waiting} timezone={learner.displayTimezone} />
        </>
      )
    case 'settings':
      return (
        <>
          <SettingsSection
            learner={learner}
            result={actionData}
            onSaved={refresh}
            heading={<SectionHeading intro="Only you see your phone, location and time zone.">Settings</SectionHeading>}
          />
          {ownership && (
            <OwnDataSection uid={uid} ownership={ownership} refused={parameters.get('refused')} onDeleted={leave} />
          )}
        </>
      )
    default:
      return <SectionNotFound />
  }
}
