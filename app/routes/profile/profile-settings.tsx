import { FileText, Monitor, Moon, Sun } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useBlocker, useSearchParams } from 'react-router'
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
import { OwnDataSection } from '~/features/accounts/settings/own-data-section'
import { removeSettingsDraft } from '~/features/accounts/settings/settings-draft'
import { saveSettings } from '~/features/accounts/settings/settings-saving.server'
import {
  SettingsSection,
  type UnsavedChanges as UnsavedSettings,
} from '~/features/accounts/settings/settings-section'
import { getSignInMethodName } from '~/features/accounts/social/social-providers.server'
import { getIdentityProofs } from '~/features/accounts/step-up/confirmation.server'
import { checkRecentSignIn } from '~/features/accounts/step-up/require-recent-sign-in.server'
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
import { Button, ButtonLink } from '~/ui/button'
import { createClientAction } from '~/ui/form/client-action'
import { SaveForm, type SaveFormProps } from '~/ui/form/save-form'
import { useHydrated } from '~/ui/hooks'
import { siteName } from '~/ui/site-name'
import { chooseTheme, type Theme } from '~/ui/theme-switch'
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

const choices = [
  { value: null, label: 'Same as my device', Icon: Monitor },
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
] as const

/** Light or dark, in this browser; each choice counts at once. */
function AppearanceSection() {
  const hydrated = useHydrated()
  const theme = useSyncExternalStore(watchTheme, readTheme, () => null)

  return (
    <section id="appearance" aria-labelledby="appearance-title" className="card mt-6 p-5 sm:p-6">
      <h2 id="appearance-title" className="font-bold text-lg">
        Appearance
      </h2>
      <fieldset disabled={!hydrated} className="mt-3">
        <legend className="text-muted">Your choice counts right away, in this browser only.</legend>
        <div className="mt-4 flex flex-wrap gap-2">
          {choices.map(({ value, label, Icon }) => (
            <label
              key={label}
              className="flex min-h-11 items-center gap-2.5 whitespace-nowrap rounded-control border border-edge px-3.5 hover:border-ink has-checked:border-accent has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name="theme"
                checked={theme === value}
                onChange={() => chooseTheme(value)}
                className="size-5 shrink-0 accent-accent"
              />
              <Icon aria-hidden="true" size={18} className="shrink-0 text-muted" />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      <p className="mt-3 hidden text-muted noscript:block">
        Without JavaScript, {siteName()} looks like your device: light or dark.
      </p>
    </section>
  )
}

function readTheme(): Theme | null {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : null
}

/** The switch in the page's header changes it, too. */
function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** The sections of the settings in the order of the page. The ID is that of the HTML element. */
const sections = [
  { id: 'profile', label: 'Profile' },
  { id: 'security', label: 'Security' },
  { id: 'study', label: 'Study' },
  { id: 'email', label: 'Email' },
  { id: 'appearance', label: 'Appearance' },
  { id: 'own-data', label: 'Data' },
] as const

type SectionId = (typeof sections)[number]['id']

/** Links to each section. The row stays at the top of the window and scrolls on a phone. */
function SettingsNavigation() {
  const list = useRef<HTMLUListElement>(null)
  const currentSection = useSectionInView()

  useEffect(() => {
    const currentLink = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (currentLink) {
      list.current?.scrollTo({ left: currentLink.offsetLeft - 16 })
    }
  })

  return (
    <nav
      aria-label="Settings"
      className="sticky top-16 z-20 -mx-1 mb-6 border-line border-b bg-canvas px-1 pt-1"
    >
      <ul ref={list} className="relative flex gap-1 overflow-x-auto py-1.5 [scrollbar-width:none]">
        {sections.map(({ id, label }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === currentSection ? 'true' : undefined}
              className="flex min-h-11 items-center whitespace-nowrap rounded-control px-3.5 font-medium text-muted no-underline hover:bg-sunken hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-accent-strong"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/**
 * Returns the last section that has reached the upper third of the window. At the end of the page,
 * it is the last section.
 */
function useSectionInView(): SectionId {
  const [currentSection, setCurrentSection] = useState<SectionId>('profile')

  useEffect(() => {
    const updateCurrentSection = () => setCurrentSection(findSectionInView())

    updateCurrentSection()
    window.addEventListener('scroll', updateCurrentSection, { passive: true })

    return () => window.removeEventListener('scroll', updateCurrentSection)
  }, [])

  return currentSection
}

function findSectionInView(): SectionId {
  const { scrollHeight } = document.documentElement
  const isAtEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= scrollHeight - 1
  if (isAtEnd) {
    return 'own-data'
  }

  const sectionInView = sections.findLast(({ id }) => {
    const element = document.getElementById(id)
    return element !== null && element.getBoundingClientRect().top <= window.innerHeight / 3
  })

  return sectionInView?.id ?? 'profile'
}

type UnsavedChangesProps = {
  hasUnsavedChanges: boolean
  /** Whether a reload would lose some of the changes. The browser then asks before a reload, too. */
  isLostOnReload: boolean
  /** Runs when the learner leaves the page and gives the changes up. */
  onLeave(): unknown
}

/**
 * Asks before a navigation leaves a page with unsaved changes. A page can have only one, because
 * React Router supports one blocker at a time.
 */
function UnsavedChanges({ hasUnsavedChanges, isLostOnReload, onLeave }: UnsavedChangesProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    return hasUnsavedChanges && currentLocation.pathname !== nextLocation.pathname
  })

  useEffect(() => {
    if (!isLostOnReload) {
      return
    }

    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)

    return () => window.removeEventListener('beforeunload', ask)
  }, [isLostOnReload])

  const isAsking = blocker.state === 'blocked'
  useEffect(() => {
    if (isAsking) {
      dialog.current?.showModal()
    } else {
      dialog.current?.close()
    }
  }, [isAsking])

  return (
    <dialog
      ref={dialog}
      aria-labelledby="unsaved-question"
      onClose={() => blocker.reset?.()}
      className="card m-auto w-[min(26rem,calc(100vw-2rem))] p-6 text-ink shadow-raised backdrop:bg-black/50"
    >
      <h2 id="unsaved-question" className="font-bold text-xl">
        Leave without saving?
      </h2>
      <p className="mt-2 text-muted">Your changes on this page haven’t been saved.</p>
      <div className="mt-6 grid gap-3 sm:flex sm:flex-wrap sm:justify-end">
        <Button variant="secondary" onClick={() => dialog.current?.close()}>
          Keep editing
        </Button>
        <Button
          variant="danger"
          onClick={() => {
            onLeave()
            blocker.proceed?.()
          }}
        >
          Leave
        </Button>
      </div>
    </dialog>
  )
}

type AnnouncementChoiceProps = SaveFormProps & {
  wantsAnnouncements: boolean
  /** Whether the learner has confirmed their email address. */
  isConfirmed: boolean
}

/** Lets learners turn announcements on or off, in their settings. */
function AnnouncementChoice({ wantsAnnouncements, isConfirmed, ...form }: AnnouncementChoiceProps) {
  return (
    <SaveForm
      action="/Profile/settings?form=announcements#email"
      button="Save announcements"
      savedText={wantsAnnouncements ? choiceTexts.on : choiceTexts.off}
      className="grid gap-4"
      {...form}
    >
      <label className="flex min-h-11 items-center gap-3">
        <input
          key={String(wantsAnnouncements)}
          type="checkbox"
          name="announcements"
          defaultChecked={wantsAnnouncements}
          aria-describedby="announcements-hint"
          className="size-5 shrink-0 accent-accent"
        />
        {choiceTexts.label}
      </label>
      <p id="announcements-hint" className="text-muted text-sm">
        {isConfirmed ? choiceTexts.hint : choiceTexts.needsAddress}
      </p>
    </SaveForm>
  )
}

/** The texts of the form in a learner's settings. */
const choiceTexts = {
  label: 'Announcements of your courses and the school',
  hint: 'News from the people who teach and run them.',
  needsAddress: 'They’ll come once your address is confirmed.',
  on: 'Announcements are on.',
  off: 'Announcements are off.',
} as const
