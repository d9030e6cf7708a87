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
import type { Ownership } from '../own-data/account-deletion.server'
import { confirmUrl } from '../sign-in/sign-in-urls'
import { SocialButtons } from '../social/social-buttons'
import { deletion } from './settings-messages'

/** Where the archive is downloaded and the account deleted. */
const ownDataAddress = '/OwnData'

type OwnDataSectionProps = {
  uid: string
  ownership: Ownership
  /** Code of a refusal, when the form was sent without scripts. */
  refused: string | null
  /** The session is confirmed, see `step-up.server.ts`. */
  confirmed: boolean
  /** The learner has just come from 'Confirm it's you' for the download. */
  readyToDownload: boolean
  /** Sentences in which other features say what a deletion does to their data. */
  consequences: readonly string[]
  onDeleted(): Promise<void>
}

/** Download all data, or delete the account. */
export function OwnDataSection({ refused, readyToDownload, ...dialog }: OwnDataSectionProps) {
  const { ownership } = dialog
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
            href={ownDataAddress}
            className="inline-flex min-h-11 items-center justify-center gap-2 rounded-control border border-edge bg-surface px-5 py-2.5 font-semibold text-ink leading-tight no-underline hover:border-ink"
          >
            <Download aria-hidden="true" size={18} /> Download my data
          </a>
        </div>
        {readyToDownload && dialog.confirmed && (
          <Notice variant="good" className="mt-4">
            {deletion.readyToDownload}
          </Notice>
        )}
      </div>
      <div className="border-line border-t p-5 sm:p-6">
        <h3 className="font-bold tracking-normal">Delete my account</h3>
        <div className="mt-2 grid items-center gap-x-8 gap-y-4 sm:grid-cols-[1fr_auto]">
          <p className="text-muted">{ownership.demo ? deletion.demo : deletion.means}</p>
          {!ownership.demo && <DeleteAccountDialog {...dialog} />}
        </div>
        {refused && (
          <p role="alert" className="mt-4 font-medium text-bad">
            {deletion.nothingDeleted} {accountErrorMessage(refused)}
          </p>
        )}
      </div>
    </section>
  )
}

type DeleteAccountDialogProps = Pick<
  OwnDataSectionProps,
  'uid' | 'ownership' | 'confirmed' | 'consequences' | 'onDeleted'
>

/**
 * Lists the data that will be deleted, and asks for the password or a fresh sign-in. Without
 * scripts it opens as a popover with a plain form.
 */
function DeleteAccountDialog({ consequences, ...form }: DeleteAccountDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const open = (event: MouseEvent) => {
    event.preventDefault()
    dialog.current?.showModal()
  }

  return (
    <>
      <Button variant="danger" popoverTarget="delete-account" onClick={open}>
        Delete my account
      </Button>
      <dialog
        ref={dialog}
        id="delete-account"
        popover="auto"
        aria-labelledby="delete-account-question"
        className="card m-auto w-[min(32rem,calc(100vw-2rem))] p-6 text-ink shadow-raised backdrop:bg-black/50 sm:p-8"
      >
        <h2 id="delete-account-question" className="text-xl font-bold">
          Permanently delete your account?
        </h2>
        <Consequences more={consequences} />
        <DeletionForm {...form} onKeep={() => dialog.current?.close()} />
      </dialog>
    </>
  )
}

function Consequences({ more }: { more: readonly string[] }) {
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
      {more.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
      <li>This can’t be undone. Download your data first if you might need it.</li>
    </ul>
  )
}

type DeletionFormProps = Omit<DeleteAccountDialogProps, 'consequences'> & { onKeep(): void }

function DeletionForm({
  uid,
  ownership,
  confirmed: confirmedBefore,
  onDeleted,
  onKeep,
}: DeletionFormProps) {
  const [confirmed, setConfirmed] = useState(confirmedBefore)
  const form = useForm<AccountFormSuccess>({
    validate: (form) =>
      form.get('password') === '' ? { password: fieldMessages.password.required } : undefined,
    onSuccess: onDeleted,
    // Once the account is deleted, there is nothing to read again.
    shouldRevalidate: false,
  })

  return (
    <Form form={form} action="/OwnData" className="mt-5" hiddenValues={{ uid }}>
      {ownership.password ? (
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          error={form.errors.password}
        />
      ) : (
        <SignInAgain
          providers={ownership.providers}
          confirmed={confirmed && !form.errors.form}
          onSignedIn={() => {
            setConfirmed(true)
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
          popoverTarget="delete-account"
          popoverTargetAction="hide"
          onClick={onKeep}
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

type SignInAgainProps = {
  providers: Ownership['providers']
  confirmed: boolean
  onSignedIn(): void
}

function SignInAgain({ providers, confirmed, onSignedIn }: SignInAgainProps) {
  if (confirmed) {
    return (
      <p role="status" className="font-medium text-good">
        {deletion.confirmed}
      </p>
    )
  }

  return (
    <>
      <p className="mb-3">
        {deletion.noPassword} {providers.length > 0 && `${deletion.signInAgain} `}
        <Link to={confirmUrl('/Profile/settings#own-data')} className="link">
          {deletion.confirmOtherwise}
        </Link>
        .
      </p>
      <SocialButtons
        providers={providers}
        from="/Profile/settings#own-data"
        confirms
        onSignedIn={onSignedIn}
      />
    </>
  )
}
