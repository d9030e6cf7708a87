import { FileText } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { accountService } from '~/features/accounts/account-service.server'
import { demoRefusal, isSharedDemo } from '~/features/accounts/demo-account.server'
import { getOwnership } from '~/features/accounts/own-data/account-deletion.server'
import { listDevices } from '~/features/accounts/security/devices.server'
import {
  submitDevices,
  submitPasswordChange,
} from '~/features/accounts/security/security-forms.server'
import { listSecurityEvents } from '~/features/accounts/security/security-log.server'
import { SecuritySection } from '~/features/accounts/security/security-section'
import { useAuth } from '~/features/accounts/session/auth-provider'
import {
  findLearner,
  findSessionToken,
  signedInLearner,
} from '~/features/accounts/session/require-learner.server'
import { openRequestContext } from '~/features/accounts/session/session.server'
import { AppearanceSection } from '~/features/accounts/settings/appearance-section'
import { OwnDataSection } from '~/features/accounts/settings/own-data-section'
import { removeSettingsDraft } from '~/features/accounts/settings/settings-draft'
import { SettingsNavigation } from '~/features/accounts/settings/settings-navigation'
import { saveSettings } from '~/features/accounts/settings/settings-saving.server'
import { SettingsSection, type Unsaved } from '~/features/accounts/settings/settings-section'
import { namedWay } from '~/features/accounts/social/social-providers.server'
import { refuseUnconfirmed } from '~/features/accounts/step-up/require-confirmation.server'
import { AnnouncementChoice } from '~/features/desk/announcements/announcement-choice'
import {
  findAnnouncementChoice,
  saveAnnouncementChoice,
} from '~/features/desk/announcements/announcement-mail.server'
import { forgetEnrollments } from '~/features/enrollment/browser-enrollments'
import { purchasesAfterDeletion } from '~/features/orders/order-texts'
import { hasPurchasesPage } from '~/features/orders/purchases/purchase-queries.server'
import { SectionHeading } from '~/features/profile/profile-layout'
import { EmailSection } from '~/features/profile/study-plan/email-section'
import {
  findStudyPlan,
  rescheduleReminder,
} from '~/features/profile/study-plan/study-plan-queries.server'
import { StudyPlanSection } from '~/features/profile/study-plan/study-plan-section'
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
  const [ownership, plan, purchases, token, announcements] = await Promise.all([
    getOwnership(db, learner.uid),
    findStudyPlan(db, learner.uid),
    hasPurchasesPage(db, learner.uid),
    findSessionToken(request),
    findAnnouncementChoice(db, learner.uid),
  ])
  // Strangers share the demo account.
  const [devices, events] = ownership.demo
    ? [[], []]
    : await Promise.all([listDevices(db, learner.uid, token), listSecurityEvents(db, learner.uid)])
  const confirmed = (await refuseUnconfirmed(accountService, openRequestContext(request))) === null
  const dated = events.map((event) => ({
    ...event,
    at: event.at.toISOString(),
    way: namedWay(accountService.providers, event.way),
  }))
  const keepsDraft = !isSharedDemo(learner.uid)

  return {
    learner,
    ownership,
    confirmed,
    plan,
    purchases,
    announcements,
    devices,
    events: dated,
    keepsDraft,
    passwordMinLength: env.PASSWORD_MIN_LENGTH,
  }
}

/** Saves the settings; `form` in the address names the forms of other sections. */
export async function action({ request, url, context }: Route.ActionArgs) {
  const learner = context.get(signedInLearner)
  const refused = demoRefusal(learner.uid, 'profile')
  if (refused) {
    return errorResponse(refused, { status: 403 })
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
  const saved = await saveSettings({ db, files: fileStore, attempts }, learner.uid, request)
  if (saved.data.done) {
    // With the time zone, the hours of reminders move.
    await rescheduleReminder(db, learner.uid)
    // Without scripts the page is rendered right after this, with the saved values.
    context.set(signedInLearner, (await findLearner(request)) ?? learner)
  }

  return saved
}

export const clientAction = createClientAction<typeof action>()

export default function ProfileSettingsRoute({ loaderData, actionData }: Route.ComponentProps) {
  const {
    learner,
    ownership,
    confirmed,
    plan,
    purchases,
    devices,
    events,
    keepsDraft,
    passwordMinLength,
  } = loaderData
  const { refresh } = useAuth()
  const [parameters] = useSearchParams()
  const form = parameters.get('form')
  const [settings, setSettings] = useState<Unsaved>('nothing')
  const [goalChanged, setGoalChanged] = useState(false)
  const [reminderChanged, setReminderChanged] = useState(false)
  const [choiceChanged, setChoiceChanged] = useState(false)
  const othersChanged = goalChanged || reminderChanged || choiceChanged
  /** Of a form that was sent without scripts. */
  const savedPart = (name: string) =>
    parameters.get('saved') === name ? { done: true as const } : undefined
  /** Without a connection nothing could be saved: the draft waits for the next visit. */
  const leaveChanges = () => {
    if (navigator.onLine) {
      void removeSettingsDraft()
    }
  }

  return (
    <div className="*:scroll-mt-36">
      <SettingsSection
        learner={learner}
        keepsDraft={keepsDraft}
        result={form === null ? actionData : undefined}
        onSaved={refresh}
        onChange={setSettings}
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
        hasUnsavedChanges={settings !== 'nothing' || othersChanged}
        isLostOnReload={settings === 'at-risk' || othersChanged}
        onLeave={leaveChanges}
      />
      <SecuritySection
        learner={learner}
        ownership={ownership}
        passwordMinLength={passwordMinLength}
        devices={devices}
        events={events}
        results={form === null ? {} : { [form]: actionData }}
      />
      <StudyPlanSection
        plan={plan}
        initialResult={savedPart('goal')}
        onUnsavedChange={setGoalChanged}
      />
      <EmailSection
        plan={plan}
        learner={learner}
        initialResult={savedPart('reminder')}
        onUnsavedChange={setReminderChanged}
      >
        <AnnouncementChoice
          wantsAnnouncements={loaderData.announcements}
          isConfirmed={learner.emailVerified}
          initialResult={form === 'announcements' ? actionData : undefined}
          onUnsavedChange={setChoiceChanged}
        />
      </EmailSection>
      <AppearanceSection />
      {purchases && <PurchasesSection />}
      <OwnDataSection
        consequences={purchases ? [purchasesAfterDeletion] : []}
        uid={learner.uid}
        ownership={ownership}
        refused={parameters.get('refused')}
        confirmed={confirmed}
        readyToDownload={parameters.get('confirmed') === 'download'}
        onDeleted={() => leave(learner.uid)}
      />
    </div>
  )
}

/**
 * After the account is deleted, nothing of the learner stays in this browser. The login page is a
 * full page load, so that no state of this page survives; its notice makes it tell the other tabs.
 */
async function leave(uid: string): Promise<void> {
  forgetEnrollments()
  await outbox.removeAll((entry) => entry.uid === uid)
  window.location.replace('/Login?notice=account-deleted')
  // The form is busy until the page is gone.
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
