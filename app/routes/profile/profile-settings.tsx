import { FileText } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { demoUid } from '~/features/accounts/account-queries.server'
import { accountService } from '~/features/accounts/account-service.server'
import { findDemoRefusal, isSharedDemo } from '~/features/accounts/demo-account.server'
import { submitPasswordChange } from '~/features/accounts/password/password-change.server'
import { submitDevices } from '~/features/accounts/security/device-forms.server'
import { listDevices } from '~/features/accounts/security/devices.server'
import { listSecurityEvents } from '~/features/accounts/security/security-log.server'
import { SecuritySection } from '~/features/accounts/security/security-section'
import { useAuth } from '~/features/accounts/session/auth-provider'
import { createRequestContext } from '~/features/accounts/session/request-context.server'
import {
  findLearner,
  findSessionToken,
  signedInLearner,
} from '~/features/accounts/session/require-learner.server'
import { OwnDataSection } from '~/features/accounts/settings/own-data-section'
import { removeSettingsDraft } from '~/features/accounts/settings/settings-draft'
import { saveSettings } from '~/features/accounts/settings/settings-saving.server'
import { SettingsSection, type UnsavedChanges } from '~/features/accounts/settings/settings-section'
import { getSignInMethodName } from '~/features/accounts/social/social-providers.server'
import { getIdentityProofs } from '~/features/accounts/step-up/confirmation.server'
import { checkRecentSignIn } from '~/features/accounts/step-up/require-recent-sign-in.server'
import {
  findAnnouncementChoice,
  saveAnnouncementChoice,
} from '~/features/desk/announcements/announcement-opt-out.server'
import { forgetEnrollments } from '~/features/enrollment/browser-enrollments'
import { purchasesAfterDeletion } from '~/features/orders/order-texts'
import { hasPurchasesPage } from '~/features/orders/purchases/purchase-queries.server'
import { AppearanceSection } from '~/features/profile/appearance-section'
import { SectionHeading } from '~/features/profile/profile-layout'
import { SettingsNavigation } from '~/features/profile/settings-navigation'
import {
  findStudyPlan,
  rescheduleReminder,
} from '~/features/profile/study-plan/study-plan-queries.server'
import { EmailSection, StudyPlanSection } from '~/features/profile/study-plan/study-plan-settings'
import { UnsavedChangesDialog } from '~/features/profile/unsaved-changes-dialog'
import { outbox } from '~/outbox/outbox'
import { db } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { fileStore } from '~/server/files/files.server'
import { errorResponse } from '~/server/http/form-response.server'
import { ButtonLink } from '~/ui/button'
import { createClientAction } from '~/ui/form/client-action'
import { SaveForm, type SaveFormProps } from '~/ui/form/save-form'
import type { Route } from './+types/profile-settings'

export async function loader({ request, context }: Route.LoaderArgs) {
  const learner = context.get(signedInLearner)
  const [identityProofs, plan, hasPurchases, sessionToken, wantsAnnouncements] = await Promise.all([
    getIdentityProofs(accountService, learner.uid),
    findStudyPlan(db, learner.uid),
    hasPurchasesPage(db, learner.uid),
    findSessionToken(request),
    findAnnouncementChoice(db, learner.uid),
  ])

  const { devices, events } = await loadSecurityData(learner.uid, sessionToken)
  const signInProblem = await checkRecentSignIn(accountService, createRequestContext(request))

  return {
    learner,
    identityProofs,
    isDemoAccount: learner.uid === demoUid,
    hasRecentSignIn: signInProblem === null,
    plan,
    hasPurchases,
    wantsAnnouncements,
    devices,
    events,
    shouldKeepDraft: !isSharedDemo(learner.uid),
    passwordMinLength: env.PASSWORD_MIN_LENGTH,
  }
}

async function loadSecurityData(uid: string, sessionToken: string | null) {
  // Strangers share the demo account and must not see each other's devices.
  if (uid === demoUid) {
    return { devices: [], events: [] }
  }

  const [devices, events] = await Promise.all([
    listDevices(db, uid, sessionToken),
    listSecurityEvents(db, uid),
  ])
  const displayedEvents = events.map((event) => ({
    ...event,
    at: event.at.toISOString(),
    signInMethod: getSignInMethodName(accountService.providers, event.signInMethod),
  }))

  return { devices, events: displayedEvents }
}

/**
 * Saves one of the page's forms. The URL parameter `form` names the form. Without the parameter,
 * the form is that of the personal data.
 */
export async function action({ request, url, context }: Route.ActionArgs) {
  const learner = context.get(signedInLearner)
  const demoProblem = findDemoRefusal(learner.uid, 'profile')
  if (demoProblem) {
    return errorResponse(demoProblem, { status: 403 })
  }

  const formName = url.searchParams.get('form')
  if (formName === 'password') {
    return submitPasswordChange(accountService, request)
  }

  if (formName === 'devices') {
    return submitDevices(accountService, request)
  }

  if (formName === 'announcements') {
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
  const formName = parameters.get('form')
  const [unsavedSettings, setUnsavedSettings] = useState<UnsavedChanges>('none')
  const [isGoalUnsaved, setIsGoalUnsaved] = useState(false)
  const [isReminderUnsaved, setIsReminderUnsaved] = useState(false)
  const [isAnnouncementChoiceUnsaved, setIsAnnouncementChoiceUnsaved] = useState(false)
  const isOtherFormUnsaved = isGoalUnsaved || isReminderUnsaved || isAnnouncementChoiceUnsaved

  // Without JavaScript, /StudyPlan redirects to this page. The parameter names the form that it has
  // saved.
  const getSavedResult = (name: string) =>
    parameters.get('saved') === name ? { done: true as const } : undefined

  // Without a connection the learner could not save, so the draft is kept.
  const discardDraft = () => {
    if (navigator.onLine) {
      void removeSettingsDraft()
    }
  }

  return (
    <div className="*:scroll-mt-36">
      <SettingsSection
        learner={learner}
        shouldKeepDraft={shouldKeepDraft}
        result={formName === null ? actionData : undefined}
        onSaved={refresh}
        onUnsavedChange={setUnsavedSettings}
        heading={
          <>
            <SectionHeading intro="Only you can see your phone number, location and time zone.">
              Settings
            </SectionHeading>
            <SettingsNavigation />
          </>
        }
      />
      <UnsavedChangesDialog
        hasUnsavedChanges={unsavedSettings !== 'none' || isOtherFormUnsaved}
        wouldLoseChangesOnReload={unsavedSettings === 'not-in-draft' || isOtherFormUnsaved}
        onLeave={discardDraft}
      />
      <SecuritySection
        learner={learner}
        identityProofs={identityProofs}
        isDemoAccount={isDemoAccount}
        passwordMinLength={passwordMinLength}
        devices={devices}
        events={events}
        results={formName === null ? {} : { [formName]: actionData }}
      />
      <StudyPlanSection
        plan={plan}
        initialResult={getSavedResult('goal')}
        onUnsavedChange={setIsGoalUnsaved}
      />
      <EmailSection
        plan={plan}
        learner={learner}
        initialResult={getSavedResult('reminder')}
        onUnsavedChange={setIsReminderUnsaved}
      >
        <AnnouncementChoice
          wantsAnnouncements={wantsAnnouncements}
          isEmailConfirmed={learner.emailVerified}
          initialResult={formName === 'announcements' ? actionData : undefined}
          onUnsavedChange={setIsAnnouncementChoiceUnsaved}
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
        onDeleted={() => clearBrowserAfterDeletion(learner.uid)}
      />
    </div>
  )
}

/**
 * Removes the learner's data from this browser after the account was deleted. The login page is
 * loaded as a new document, so that no data of this page stays in memory. Its notice informs the
 * other tabs.
 */
async function clearBrowserAfterDeletion(uid: string): Promise<void> {
  forgetEnrollments()
  await outbox.removeMatching((entry) => entry.uid === uid)
  window.location.replace('/Login?notice=account-deleted')
  // This promise never settles, so that the form stays disabled until the page is gone.
  await new Promise(() => {})
}

/** Links to the learner's orders and receipts. */
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

type AnnouncementChoiceProps = SaveFormProps & {
  wantsAnnouncements: boolean
  isEmailConfirmed: boolean
}

/** Lets the learner turn announcements on or off. */
function AnnouncementChoice({
  wantsAnnouncements,
  isEmailConfirmed,
  ...saveFormProps
}: AnnouncementChoiceProps) {
  return (
    <SaveForm
      action="/Profile/settings?form=announcements#email"
      button="Save announcements"
      savedText={wantsAnnouncements ? announcementTexts.turnedOn : announcementTexts.turnedOff}
      className="grid gap-4"
      {...saveFormProps}
    >
      <label className="flex min-h-11 items-center gap-3">
        <input
          // A new key makes React create the checkbox again, so that it shows the saved choice.
          key={String(wantsAnnouncements)}
          type="checkbox"
          name="announcements"
          defaultChecked={wantsAnnouncements}
          aria-describedby="announcements-hint"
          className="size-5 shrink-0 accent-accent"
        />
        {announcementTexts.label}
      </label>
      <p id="announcements-hint" className="text-muted text-sm">
        {isEmailConfirmed ? announcementTexts.hint : announcementTexts.emailNotConfirmed}
      </p>
    </SaveForm>
  )
}

const announcementTexts = {
  label: 'Announcements of your courses and the school',
  hint: 'News from the people who teach and run them.',
  emailNotConfirmed: 'They’ll come once your address is confirmed.',
  turnedOn: 'Announcements are on.',
  turnedOff: 'Announcements are off.',
} as const
