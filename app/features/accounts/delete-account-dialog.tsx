import { type MouseEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { Button } from '~/ui/button'
import { accountErrorMessage } from './account-errors'
import type { DeletionAnswer, Ownership } from './own-data-deletion.server'
import { PasswordField } from './password-field'
import { SocialButtons } from './social-buttons'

type DeleteAccountDialogProps = { uid: string; ownership: Ownership; onDeleted(): void }

const passwordMissing = 'Password is required'

/** Says what goes, and asks for the password or a fresh sign-in. Without scripts it opens as a popover with a plain form. */
export function DeleteAccountDialog({ uid, ownership, onDeleted }: DeleteAccountDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const fetcher = useFetcher<DeletionAnswer>()
  const [missing, setMissing] = useState(false)
  const [confirmed, setConfirmed] = useState(false)
  const answer = fetcher.data
  useEffect(() => {
    if (answer?.deleted) onDeleted()
  }, [answer, onDeleted])

  const open = (event: MouseEvent) => {
    event.preventDefault()
    dialog.current?.showModal()
  }
  const check = (event: SubmitEvent<HTMLFormElement>) => {
    const without = ownership.password && new FormData(event.currentTarget).get('password') === ''
    setMissing(without)
    setConfirmed(false)
    if (without) event.preventDefault()
  }
  const refused = answer && !answer.deleted ? answer.code : null
  const error = missing ? passwordMissing : refused ? accountErrorMessage(refused) : undefined
  const atPassword = missing || refused === 'wrong-password'
  return (
    <>
      <Button look="danger" popoverTarget="delete-account" onClick={open}>
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
          Delete your account for good?
        </h2>
        <Consequences />
        <fetcher.Form method="post" action="/OwnData" noValidate onSubmit={check} className="mt-5">
          <input type="hidden" name="uid" value={uid} />
          {ownership.password ? (
            <PasswordField
              label="Your password"
              name="password"
              autoComplete="current-password"
              error={atPassword ? error : undefined}
              onChange={() => setMissing(false)}
            />
          ) : (
            <SignInAgain providers={ownership.providers} confirmed={confirmed} onSignedIn={() => setConfirmed(true)} />
          )}
          {error && !atPassword && !confirmed && (
            <p role="alert" className="mt-4 font-medium text-bad">
              {error}
            </p>
          )}
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <Button
              look="secondary"
              popoverTarget="delete-account"
              popoverTargetAction="hide"
              onClick={() => dialog.current?.close()}
            >
              Keep my account
            </Button>
            <Button type="submit" look="danger" disabled={fetcher.state !== 'idle'}>
              {fetcher.state === 'idle' ? 'Delete everything' : 'Deleting ...'}
            </Button>
          </div>
        </fetcher.Form>
      </dialog>
    </>
  )
}

function Consequences() {
  return (
    <ul className="mt-3 list-disc space-y-1.5 pl-5 text-muted marker:text-edge">
      <li>Your profile, photo, courses, progress, notes, exam results and reviews are removed at once.</li>
      <li>You are signed out on every device.</li>
      <li>Your certificates stay at their addresses, but show as withdrawn and without your name.</li>
      <li>Nobody can bring any of it back. Download your data first if you may need it.</li>
    </ul>
  )
}

type SignInAgainProps = { providers: Ownership['providers']; confirmed: boolean; onSignedIn(): void }

function SignInAgain({ providers, confirmed, onSignedIn }: SignInAgainProps) {
  if (confirmed)
    return (
      <p role="status" className="font-medium text-good">
        Thank you. You can delete the account within the next five minutes.
      </p>
    )
  return (
    <>
      <p className="mb-3">Your account has no password. Sign in once more to show that it is you:</p>
      <SocialButtons providers={providers} from="/Profile/settings" onSignedIn={onSignedIn} />
    </>
  )
}
