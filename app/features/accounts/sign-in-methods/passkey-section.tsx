import { KeyRound } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '~/ui/button'
import { formatDate } from '~/ui/format-date'
import { Notice } from '~/ui/notice'
import { accountErrorMessage } from '../account-errors'
import { maxPasskeyNameLength, signInMethodNotices } from '../form/form-messages'
import type { Passkey } from '../passkeys/passkey-queries.server'
import type { PageForms } from '../security/page-forms'
import type { OperationResult } from '../session/auth-provider'
import { RemoveForm, SignInMethodForm } from './sign-in-method-forms'
import { signInMethodTexts } from './sign-in-method-texts'

type PasskeySectionProps = {
  passkeys: Passkey[]
  /** The site's host name. */
  host: string
  isEmailVerified: boolean
  timeZone: string
  pageForms: PageForms
}

/** Lists the account's passkeys, and adds, renames and removes them. */
export function PasskeySection({
  passkeys,
  host,
  isEmailVerified,
  timeZone,
  pageForms,
}: PasskeySectionProps) {
  return (
    <section className="card mt-6 p-5 sm:p-6" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title" className="font-bold text-lg">
        Passkeys
      </h2>
      <p className="mt-2 text-muted">{signInMethodTexts.passkeys}</p>
      {passkeys.length === 0 && <p className="mt-4">{signInMethodTexts.noPasskeys}</p>}
      <ul aria-labelledby="passkeys-title" className="mt-2 divide-y divide-line">
        {passkeys.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            host={host}
            timeZone={timeZone}
            pageForms={pageForms}
          />
        ))}
      </ul>
      <div className="mt-4">
        {isEmailVerified ? (
          <AddPasskey pageForms={pageForms} />
        ) : (
          <p>
            {signInMethodTexts.needsConfirmedEmail}{' '}
            <Link to="/ConfirmEmail" className="link">
              Confirm it now
            </Link>
          </p>
        )}
      </div>
    </section>
  )
}

type PasskeyRowProps = { passkey: Passkey; host: string; timeZone: string; pageForms: PageForms }

function PasskeyRow({ passkey, host, timeZone, pageForms }: PasskeyRowProps) {
  const { id, name, addedAt, usedAt, isSynced, previousHost } = passkey
  const details = [
    `Added ${formatDate(addedAt, timeZone)}`,
    usedAt ? `Last used ${formatDate(usedAt, timeZone)}` : 'Not used yet',
    isSynced ? 'Synced between devices' : 'On one device',
  ]

  return (
    <li className="py-4">
      <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
      <p className="mt-0.5 text-muted text-sm">{details.join(' · ')}</p>
      {previousHost && (
        <p className="mt-1 font-medium text-warn text-sm">
          {signInMethodTexts.previousHost(previousHost, host)}
        </p>
      )}
      <div className="mt-1 flex flex-wrap gap-x-6">
        <details>
          <summary className="link min-h-11 cursor-pointer py-2.5" aria-label={`Rename ${name}`}>
            Rename
          </summary>
          <SignInMethodForm hiddenValues={{ intent: 'rename-passkey', id }} pageForms={pageForms}>
            <input
              name="name"
              aria-label="Name"
              defaultValue={name}
              required
              maxLength={maxPasskeyNameLength}
              className="block min-h-12 w-full rounded-control border border-edge bg-surface px-3.5 py-2.5 text-ink"
            />
            <Button type="submit" variant="secondary">
              Save
            </Button>
          </SignInMethodForm>
        </details>
        <RemoveForm
          methodName={name}
          hiddenValues={{ intent: 'remove-passkey', id }}
          pageForms={pageForms}
        />
      </div>
    </li>
  )
}

/** The result if the code for passkeys can't be loaded. */
const notLoadedResult: OperationResult = {
  success: false,
  error: accountErrorMessage('network-request-failed'),
}

/** Adds a passkey. Only scripts can create one. */
function AddPasskey({ pageForms }: { pageForms: PageForms }) {
  const formId = useId()
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function add() {
    setIsBusy(true)
    setError(null)
    pageForms.markAsSent(formId)

    const ceremony = await import('../passkeys/passkey-ceremony').catch(() => null)
    const result = ceremony === null ? notLoadedResult : await ceremony.addPasskey()
    if (result.success) {
      await pageForms.onSuccess({ done: true, notice: signInMethodNotices.added })
    } else {
      setError(result.error)
    }

    setIsBusy(false)
  }

  return (
    <div className="grid justify-items-start gap-4">
      <Button className="noscript:hidden" disabled={isBusy} onClick={add}>
        <KeyRound aria-hidden="true" size={18} /> {isBusy ? 'Adding...' : 'Add a passkey'}
      </Button>
      <noscript>
        <p>{signInMethodTexts.noScripts}</p>
      </noscript>
      {error && !pageForms.isErrorOutdated(formId) && <Notice variant="bad">{error}</Notice>}
    </div>
  )
}
