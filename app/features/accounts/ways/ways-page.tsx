import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { formatDate } from '~/ui/format-date'
import { Notice } from '~/ui/notice'
import type { AccountFormResult, AccountFormSuccess } from '../form/form-result'
import { AddPasskey } from '../passkeys/add-passkey'
import type { Passkey } from '../passkeys/passkeys.server'
import { SecurityPage, SignOutOthersCheckbox, useLatestResult } from '../security/security-page'
import { longestPasskeyName, wayNotices, wayTexts } from './way-messages'
import type { Ways } from './ways.server'

type WaysPageProps = {
  ways: Ways
  emailVerified: boolean
  timeZone: string
  /** What adding a provider came to. */
  problem: string | null
  /** The action's result for a form without scripts. */
  result?: AccountFormResult
}

/** The ways to sign in: adds and removes them. */
export function WaysPage({ ways, emailVerified, timeZone, problem, result }: WaysPageProps) {
  const { latestResult, onSuccess } = useLatestResult(
    result ?? (problem === null ? undefined : { done: false, errors: { form: problem } }),
  )
  return (
    <SecurityPage title={wayTexts.title} intro={wayTexts.intro}>
      {latestResult?.done && latestResult.notice && (
        <Notice variant="good" className="mb-6">
          {latestResult.notice}
        </Notice>
      )}
      {latestResult?.done === false && (
        <Notice variant="bad" className="mb-6">
          {Object.values(latestResult.errors)[0]}
        </Notice>
      )}
      {ways.onlyWays.length > 0 && (
        <Notice variant="info" className="mb-6">
          {wayTexts.onlyWay(
            new Intl.ListFormat('en-US', { type: 'disjunction' }).format(ways.onlyWays),
          )}
        </Notice>
      )}
      <section className="card divide-y divide-line">
        <Way name="Password" state={ways.password ? 'Set' : wayTexts.noPassword}>
          {ways.password ? (
            <Remove
              name="your password"
              fields={{ intent: 'remove', way: 'credential' }}
              onSuccess={onSuccess}
            />
          ) : (
            <Link to="/ResetPassword" className="link py-2.5">
              Set a password by email
            </Link>
          )}
        </Way>
        {ways.providers.map(({ id, name, isAdded }) => (
          <Way key={id} name={name} state={isAdded ? 'Added' : 'Not added'}>
            {isAdded ? (
              <Remove name={name} fields={{ intent: 'remove', way: id }} onSuccess={onSuccess} />
            ) : (
              <WayForm fields={{ intent: 'add', way: id }} onSuccess={onSuccess}>
                <Button type="submit" variant="secondary">
                  Add {name}
                </Button>
              </WayForm>
            )}
          </Way>
        ))}
      </section>
      <section className="card mt-6 p-5 sm:p-6" aria-labelledby="passkeys-title">
        <h2 id="passkeys-title" className="font-bold text-lg">
          Passkeys
        </h2>
        <p className="mt-2 text-muted">{wayTexts.passkeys}</p>
        {ways.passkeys.length === 0 && <p className="mt-4">{wayTexts.noPasskeys}</p>}
        <ul aria-labelledby="passkeys-title" className="mt-2 divide-y divide-line">
          {ways.passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              host={ways.host}
              timeZone={timeZone}
              onSuccess={onSuccess}
            />
          ))}
        </ul>
        <div className="mt-4">
          {emailVerified ? (
            <AddPasskey onAdded={() => onSuccess({ done: true, notice: wayNotices.added })} />
          ) : (
            <p>
              {wayTexts.needsAddress}{' '}
              <Link to="/ConfirmEmail" className="link">
                Confirm it now
              </Link>
            </p>
          )}
        </div>
      </section>
    </SecurityPage>
  )
}

function Way({ name, state, children }: { name: string; state: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-5 sm:p-6">
      <div>
        <h2 className="font-bold text-lg">{name}</h2>
        <p className="text-muted">{state}</p>
      </div>
      {children}
    </div>
  )
}

type OnSuccess = (result: AccountFormResult) => Promise<void>
type WayFormProps = { fields: Record<string, string>; onSuccess: OnSuccess; children: ReactNode }

function WayForm({ fields, onSuccess, children }: WayFormProps) {
  const form = useForm<AccountFormSuccess>({ onSuccess, shouldRevalidate: false })

  return (
    // The server says which name is wrong, so the browser does not check it.
    <Form form={form} hiddenValues={fields} noValidate>
      <fieldset disabled={form.isBusy} className="grid justify-items-start gap-3">
        {children}
        {form.errors.form && <Notice variant="bad">{form.errors.form}</Notice>}
      </fieldset>
    </Form>
  )
}

/** Asks once more before something is removed. */
function Remove({
  name,
  fields,
  onSuccess,
}: {
  name: string
  fields: Record<string, string>
  onSuccess: OnSuccess
}) {
  return (
    <details>
      <summary className="link min-h-11 cursor-pointer py-2.5" aria-label={`Remove ${name}`}>
        Remove
      </summary>
      <WayForm fields={fields} onSuccess={onSuccess}>
        <SignOutOthersCheckbox />
        <Button type="submit" variant="danger">
          Remove {name}
        </Button>
      </WayForm>
    </details>
  )
}

type PasskeyRowProps = { passkey: Passkey; host: string; timeZone: string; onSuccess: OnSuccess }

function PasskeyRow({ passkey, host, timeZone, onSuccess }: PasskeyRowProps) {
  const { id, name, addedAt, usedAt, isSynced, formerHost } = passkey
  const facts = [
    `Added ${formatDate(addedAt, timeZone)}`,
    usedAt ? `Last used ${formatDate(usedAt, timeZone)}` : 'Not used yet',
    isSynced ? 'Synced between devices' : 'On one device',
  ]

  return (
    <li className="py-4">
      <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
      <p className="mt-0.5 text-muted text-sm">{facts.join(' · ')}</p>
      {formerHost && (
        <p className="mt-1 font-medium text-warn text-sm">
          {wayTexts.formerHost(formerHost, host)}
        </p>
      )}
      <div className="mt-1 flex flex-wrap gap-x-6">
        <details>
          <summary className="link min-h-11 cursor-pointer py-2.5" aria-label={`Rename ${name}`}>
            Rename
          </summary>
          <WayForm fields={{ intent: 'rename-passkey', id }} onSuccess={onSuccess}>
            <input
              name="name"
              aria-label="Name"
              defaultValue={name}
              required
              maxLength={longestPasskeyName}
              className="block min-h-12 w-full rounded-control border border-edge bg-surface px-3.5 py-2.5 text-ink"
            />
            <Button type="submit" variant="secondary">
              Save
            </Button>
          </WayForm>
        </details>
        <Remove name={name} fields={{ intent: 'remove-passkey', id }} onSuccess={onSuccess} />
      </div>
    </li>
  )
}
