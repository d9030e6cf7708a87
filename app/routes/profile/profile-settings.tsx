import { FileText } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { demoUid } from '~/features/accounts/account-queries.server'
import { accountService } from '~/features/accounts/account-service.server'
import { findDemoRefusal, isSharedDemo } from '~/features/accounts/demo-account.server'
import { listDevices } from '~/features/accounts/security/devices.server'
import {
  submitDevices,
  submitPasswordChange,
} from '~/features/accounts/security/security-forms.server'
import { listSecurityEvents } from '~/features/accounts/security/security-log.server'
import { SecuritySection } from '~/features/accounts/security/security-section'
import { useAuth } from '~/features/accounts/session/auth-provider'
import { createRequestContext } from '~/features/accounts/session/request-context.server'
import {
  findLearner,
  findSessionToken,
  signedInLearner,
} from '~/features/accounts/session/require-learner.server'
import { AppearanceSection } from '~/features/accounts/settings/appearance-section'
import { OwnDataSection } from '~/features/accounts/settings/own-data-section'
import { removeSettingsDraft } from '~/features/accounts/settings/settings-draft'
import { SettingsNavigation } from '~/features/accounts/settings/settings-navigation'
import { saveSettings } from '~/features/accounts/settings/settings-saving.server'
import {
  SettingsSection,
  type UnsavedChanges as UnsavedSettings,
} from '~/features/accounts/settings/settings-section'
import { getSignInMethodName } from '~/features/accounts/social/social-providers.server'
import { getIdentityProofs } from '~/features/accounts/step-up/confirmation.server'
import { checkRecentSignIn } from '~/features/accounts/step-up/require-recent-sign-in.server'
import { AnnouncementChoice } from '~/features/desk/announcements/announcement-choice'
import {
  findAnnouncementChoice,
  saveAnnouncementChoice,
} from '~/features/desk/announcements/announcement-mail.server'
import { forgetEnrollments } from '~/features/enrollment/browser-enrollments'
import { purchasesAfterDeletion } from '~/features/orders/order-texts'
import { hasPurchasesPage } from '~/features/orders/purchases/purchase-queries.server'
import { SectionHeading } from '~/features/profile/profile-layout'
import {
  findStudyPlan,
  rescheduleReminder,
} from '~/features/profile/study-plan/study-plan-queries.server'
import { EmailSection, StudyPlanSection } from '~/features/profile/study-plan/study-plan-settings'
import { outbox } from '~/outbox/outbox'
import { db } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { fileStore } from '~/server/files/files.server'
import { errorResponse } from '~/server/http/form-response.server'
import { ButtonLink } from '~/ui/button'
import { createClientAction } from '~/ui/form/client-action'
import { UnsavedChanges } from '~/ui/unsaved-changes'
import type { Route } from './+types/profile-settings'

export async function loader({ request, context }: Route.LoaderArgs) {
  const learner = context.get(signedInLearner)
  const [identityProofs, plan, hasPurchases, token, wantsAnnouncements] = await Promise.all([
    getIdentityProofs(accountService, learner.uid),
    findStudyPlan(db, learner.uid),
    hasPurchasesPage(db, learner.uid),
    findSessionToken(request),
    findAnnouncementChoice(db, learner.uid),
  ])

  // Strangers share the demo account and must not see each other's devices.
  const isDemoAccount = learner.uid === demoUid
  const [devices, events] = isDemoAccount
    ? [[], []]
    : await Promise.all([listDevices(db, learner.uid, token), listSecurityEvents(db, learner.uid)])

  const hasRecentSignIn =
    (await checkRecentSignIn(accountService, createRequestContext(request))) === null
  const displayedEvents = events.map((event) => ({
    ...event,
    at: event.at.toISOString(),
    way: getSignInMethodName(accountService.providers, event.way),
  }))
  const shouldKeepDraft = !isSharedDemo(learner.uid)

  return {
    learner,
    identityProofs,
    isDemoAccount,
    hasRecentSignIn,
    plan,
    hasPurchases,
    wantsAnnouncements,
    devices,
    events: displayedEvents,
    shouldKeepDraft,
    passwordMinLength: env.PASSWORD_MIN_LENGTH,
  }
}

/** Saves the settings. The parameter `form` in the URL names the forms of other sections. */
export async function action({ request, url, context }: Route.ActionArgs) {
  const learner = context.get(signedInLearner)
  const demoProblem = findDemoRefusal(learner.uid, 'profile')
  if (demoProblem) {
    return errorResponse(demoProblem, { status: 403 })
  }

  const form = url.searchParams.get('form')
  if (form === 'password') {
    return submitPasswordChange(accountService, request)
  }

  if (form === 'devices') {
    return submitDevices(accountService, request)
  }

  if (form === 'announcements') {
    return saveAnnouncementChoice(db, learner.uid, request)
  }

  const { attempts } = accountService
  const response = await saveSettings({ db, files: fileStore, attempts }, learner.uid, request)
  if (response.data.done) {
    // Reminders follow the learner's time zone, which may have changed.
    await rescheduleReminder(db, learner.uid)
    // Without JavaScript, the page is rendered in the same request and needs the saved values.
    context.set(signedInLearner, (await findLearner(request)) ?? learner)
  }

  return response
}

export const clientAction = createClientAction<typeof action>()

export default function ProfileSettingsRoute({ loaderData, actionData }: Route.ComponentProps) {
  const {
    learner,
    identityProofs,
    isDemoAccount,
    hasRecentSignIn,
    plan,
    hasPurchases,
    wantsAnnouncements,
    devices,
    events,
    shouldKeepDraft,
    passwordMinLength,
  } = loaderData
  const { refresh } = useAuth()
  const [parameters] = useSearchParams()
  const form = parameters.get('form')
  const [unsavedSettings, setUnsavedSettings] = useState<UnsavedSettings>('nothing')
  const [isGoalUnsaved, setGoalUnsaved] = useState(false)
  const [isReminderUnsaved, setReminderUnsaved] = useState(false)
  const [isAnnouncementChoiceUnsaved, setAnnouncementChoiceUnsaved] = useState(false)
  const hasOtherChanges = isGoalUnsaved || isReminderUnsaved || isAnnouncementChoiceUnsaved

  // Without JavaScript, the form's route redirects here and names the saved part.
  const getSavedResult = (name: string) =>
    parameters.get('saved') === name ? { done: true as const } : undefined

  // The draft is kept without a connection, because nothing could be saved.
  const discardChanges = () => {
    if (navigator.onLine) {
      void removeSettingsDraft()
    }
  }

  return (
    <div className="*:scroll-mt-36">
      <SettingsSection
        learner={learner}
        shouldKeepDraft={shouldKeepDraft}
        result={form === null ? actionData : undefined}
        onSaved={refresh}
        onChange={setUnsavedSettings}
        heading={
          <>
            <SectionHeading intro="Only you can see your phone number, location and time zone.">
              Settings
            </SectionHeading>
            <SettingsNavigation />
          </>
        }
      />
      <UnsavedChanges
        hasUnsavedChanges={unsavedSettings !== 'nothing' || hasOtherChanges}
        isLostOnReload={unsavedSettings === 'at-risk' || hasOtherChanges}
        onLeave={discardChanges}
      />
      <SecuritySection
        learner={learner}
        identityProofs={identityProofs}
        isDemoAccount={isDemoAccount}
        passwordMinLength={passwordMinLength}
        devices={devices}
        events={events}
        results={form === null ? {} : { [form]: actionData }}
      />
      <StudyPlanSection
        plan={plan}
        initialResult={getSavedResult('goal')}
        onUnsavedChange={setGoalUnsaved}
      />
      <EmailSection
        plan={plan}
        learner={learner}
        initialResult={getSavedResult('reminder')}
        onUnsavedChange={setReminderUnsaved}
      >
        <AnnouncementChoice
          wantsAnnouncements={wantsAnnouncements}
          isConfirmed={learner.emailVerified}
          initialResult={form === 'announcements' ? actionData : undefined}
          onUnsavedChange={setAnnouncementChoiceUnsaved}
        />
      </EmailSection>
      <AppearanceSection />
      {hasPurchases && <PurchasesSection />}
      <OwnDataSection
        uid={learner.uid}
        identityProofs={identityProofs}
        isDemoAccount={isDemoAccount}
        hasRecentSignIn={hasRecentSignIn}
        isReadyToDownload={parameters.get('confirmed') === 'download'}
        deletionError={parameters.get('refused')}
        deletionConsequences={hasPurchases ? [purchasesAfterDeletion] : []}
        onDeleted={() => leaveAfterDeletion(learner.uid)}
      />
    </div>
  )
}

/**
 * Removes everything about the learner from this browser after the account was deleted. The login page
 * is loaded in full, so that nothing of this page survives. Its notice informs the other tabs.
 */
async function leaveAfterDeletion(uid: string): Promise<void> {
  forgetEnrollments()
  await outbox.removeMatching((entry) => entry.uid === uid)
  window.location.replace('/Login?notice=account-deleted')
  // This promise never settles, so that the form stays disabled until the page is gone.
  await new Promise(() => {})
}

/** Leads to the orders and receipts. */
function PurchasesSection() {
  return (
    <section aria-labelledby="purchases-title" className="card mt-6 p-5 sm:p-6">
      <h2 id="purchases-title" className="font-bold text-lg">
        Purchases
      </h2>
      <div className="mt-3 grid items-center gap-x-8 gap-y-4 sm:grid-cols-[1fr_auto]">
        <p className="text-muted">The courses you bought, with their receipts.</p>
        <ButtonLink to="/Profile/purchases" variant="secondary">
          <FileText aria-hidden="true" size={18} /> See your purchases
        </ButtonLink>
      </div>
    </section>
  )
}
