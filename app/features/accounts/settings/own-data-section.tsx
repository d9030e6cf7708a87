import { Download } from 'lucide-react'
import { type MouseEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { Notice } from '~/ui/notice'
import { siteName } from '~/ui/site-name'
import { accountErrorMessage } from '../account-errors'
import { PasswordField } from '../form/form-fields'
import { fieldMessages } from '../form/form-messages'
import type { AccountFormSuccess } from '../form/form-result'
import { confirmUrl } from '../sign-in/sign-in-urls'
import { SocialButtons } from '../social/social-buttons'
import type { IdentityProofs } from '../step-up/confirmation.server'
import { settingsMessages } from './settings-messages'

/** GET downloads the archive, and POST deletes the account. */
const ownDataUrl = '/OwnData'

const sectionUrl = '/Profile/settings#own-data'

type OwnDataSectionProps = {
  uid: string
  identityProofs: IdentityProofs
  isDemoAccount: boolean
  /** Whether the learner signed in or confirmed their identity recently. */
  hasRecentSignIn: boolean
  /** Whether the learner has just confirmed their identity in order to download the data. */
  isReadyToDownload: boolean
  /** Why the account was not deleted, as an error code, after a request without scripts. */
  deletionError: string | null
  /** Sentences of other features that say what a deletion does to their data. */
  deletionConsequences: readonly string[]
  onDeleted(): Promise<void>
}

/** The section 'Your data' of the settings: download all data, or delete the account. */
export function OwnDataSection({
  isDemoAccount,
  isReadyToDownload,
  deletionError,
  ...deletion
}: OwnDataSectionProps) {
  return (
    <section id="own-data" aria-labelledby="own-data-title" className="card mt-6 scroll-mt-24">
      <div className="p-5 sm:p-6">
        <h2 id="own-data-title" className="font-bold text-lg">
          Your data
        </h2>
        <div className="mt-3 grid items-center gap-x-8 gap-y-4 sm:grid-cols-[1fr_auto]">
          <p className="text-muted">
            Download everything {siteName()} stores about you as a ZIP file: courses, progress,
            notes, exams, certificates and more, as JSON and PDF.
          </p>
          <a
            href={ownDataUrl}
            className="inline-flex min-h-11 items-center justify-center gap-2 rounded-control border border-edge bg-surface px-5 py-2.5 font-semibold text-ink leading-tight no-underline hover:border-ink"
          >
            <Download aria-hidden="true" size={18} /> Download my data
          </a>
        </div>
        {isReadyToDownload && deletion.hasRecentSignIn && (
          <Notice variant="good" className="mt-4">
            {settingsMessages.readyToDownload}
          </Notice>
        )}
      </div>
      <div className="border-line border-t p-5 sm:p-6">
        <h3 className="font-bold tracking-normal">Delete my account</h3>
        <div className="mt-2 grid items-center gap-x-8 gap-y-4 sm:grid-cols-[1fr_auto]">
          <p className="text-muted">
            {isDemoAccount
              ? settingsMessages.deletionTexts.demoAccount
              : settingsMessages.deletionTexts.intro}
          </p>
          {!isDemoAccount && <DeleteAccountDialog {...deletion} />}
        </div>
        {deletionError && (
          <p role="alert" className="mt-4 font-medium text-bad">
            {settingsMessages.deletionTexts.nothingDeleted} {accountErrorMessage(deletionError)}
          </p>
        )}
      </div>
    </section>
  )
}

const dialogId = 'delete-account'

type DeleteAccountDialogProps = Pick<
  OwnDataSectionProps,
  'uid' | 'identityProofs' | 'hasRecentSignIn' | 'deletionConsequences' | 'onDeleted'
>

/**
 * The button 'Delete my account', and the dialog that it opens. Without scripts, the dialog opens
 * as a popover.
 */
function DeleteAccountDialog({ deletionConsequences, ...formProps }: DeleteAccountDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const openModal = (event: MouseEvent) => {
    event.preventDefault()
    dialog.current?.showModal()
  }

  return (
    <>
      <Button variant="danger" popoverTarget={dialogId} onClick={openModal}>
        Delete my account
      </Button>
      <dialog
        ref={dialog}
        id={dialogId}
        popover="auto"
        aria-labelledby="delete-account-question"
        className="card m-auto w-[min(32rem,calc(100vw-2rem))] p-6 text-ink shadow-raised backdrop:bg-black/50 sm:p-8"
      >
        <h2 id="delete-account-question" className="text-xl font-bold">
          Permanently delete your account?
        </h2>
        <ConsequenceList featureConsequences={deletionConsequences} />
        <DeletionForm {...formProps} onCancel={() => dialog.current?.close()} />
      </dialog>
    </>
  )
}

function ConsequenceList({ featureConsequences }: { featureConsequences: readonly string[] }) {
  return (
    <ul className="mt-3 list-disc space-y-1.5 pl-5 text-muted marker:text-edge">
      <li>
        Your profile, photo, courses, progress, notes, exam results and reviews will be deleted
        immediately.
      </li>
      <li>You’ll be signed out on every device.</li>
      <li>
        Links to your certificates will still work, but show them as withdrawn and without your
        name.
      </li>
      {featureConsequences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
      <li>This can’t be undone. Download your data first if you might need it.</li>
    </ul>
  )
}

type DeletionFormProps = Omit<DeleteAccountDialogProps, 'deletionConsequences'> & {
  onCancel(): void
}

/** Asks for the password or, from an account without one, for a recent sign-in. */
function DeletionForm({
  uid,
  identityProofs,
  hasRecentSignIn: hadRecentSignIn,
  onDeleted,
  onCancel,
}: DeletionFormProps) {
  const [hasRecentSignIn, setHasRecentSignIn] = useState(hadRecentSignIn)
  const form = useForm<AccountFormSuccess>({
    validate: (formData) =>
      formData.get('password') === '' ? { password: fieldMessages.password.required } : undefined,
    onSuccess: onDeleted,
    // The deleted account has no settings to load.
    shouldRevalidate: false,
  })

  return (
    <Form form={form} action={ownDataUrl} className="mt-5" hiddenValues={{ uid }}>
      {identityProofs.hasPassword ? (
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          error={form.errors.password}
        />
      ) : (
        <RecentSignInField
          providers={identityProofs.providers}
          // After an error, the sign-in may be too long ago.
          hasRecentSignIn={hasRecentSignIn && !form.errors.form}
          onSignedIn={() => {
            setHasRecentSignIn(true)
            form.clear()
          }}
        />
      )}
      {form.errors.form && (
        <p role="alert" className="mt-4 font-medium text-bad">
          {form.errors.form}
        </p>
      )}
      <div className="mt-6 grid gap-3 sm:flex sm:flex-wrap sm:justify-end">
        <Button
          variant="secondary"
          popoverTarget={dialogId}
          popoverTargetAction="hide"
          onClick={onCancel}
        >
          Keep my account
        </Button>
        <Button type="submit" variant="danger" disabled={form.isBusy}>
          {form.isBusy ? 'Deleting...' : 'Delete everything'}
        </Button>
      </div>
    </Form>
  )
}

type RecentSignInFieldProps = {
  providers: IdentityProofs['providers']
  hasRecentSignIn: boolean
  onSignedIn(): void
}

function RecentSignInField({ providers, hasRecentSignIn, onSignedIn }: RecentSignInFieldProps) {
  if (hasRecentSignIn) {
    return (
      <p role="status" className="font-medium text-good">
        {settingsMessages.deletionTexts.hasRecentSignIn}
      </p>
    )
  }

  return (
    <>
      <p className="mb-3">
        {settingsMessages.deletionTexts.noPassword}{' '}
        {providers.length > 0 && `${settingsMessages.deletionTexts.signInAgain} `}
        <Link to={confirmUrl(sectionUrl)} className="link">
          {settingsMessages.deletionTexts.confirmIdentity}
        </Link>
        .
      </p>
      <SocialButtons
        providers={providers}
        returnPath={sectionUrl}
        isConfirmation
        onSignedIn={onSignedIn}
      />
    </>
  )
}
