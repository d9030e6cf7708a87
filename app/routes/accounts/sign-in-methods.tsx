/** /Profile/sign-in: add, rename and remove sign-in methods. It requires a recent sign-in. */
import { KeyRound } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router'
import { accountErrorMessage } from '~/features/accounts/account-errors'
import { accountService } from '~/features/accounts/account-service.server'
import { maxPasskeyNameLength, signInMethodNotices } from '~/features/accounts/form/form-messages'
import type { AccountFormResult, AccountFormSuccess } from '~/features/accounts/form/form-result'
import type { Passkey } from '~/features/accounts/passkeys/passkeys.server'
import {
  type PageForms,
  SecurityPage,
  SignOutOthersCheckbox,
  usePageForms,
} from '~/features/accounts/security/security-page'
import type { OperationResult } from '~/features/accounts/session/auth-provider'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import {
  handleSignInMethodForm,
  readSignInMethods,
  type SignInMethods,
} from '~/features/accounts/sign-in-methods/sign-in-methods.server'
import { recentSignInMiddleware } from '~/features/accounts/step-up/require-recent-sign-in.server'
import { readForm } from '~/server/http/request-body.server'
import { Button } from '~/ui/button'
import { createClientAction } from '~/ui/form/client-action'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { formatDate } from '~/ui/format-date'
import { Notice } from '~/ui/notice'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/sign-in-methods'

export const middleware: Route.MiddlewareFunction[] = [recentSignInMiddleware]

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: signInMethodTexts.title,
    description: signInMethodTexts.intro,
    path: null,
    matches,
  })
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const learner = context.get(signedInLearner)
  const error = url.searchParams.get('error')
  const signInMethods = await readSignInMethods(accountService, learner)
  const { emailVerified, displayTimezone: timeZone } = learner

  return {
    signInMethods,
    emailVerified,
    timeZone,
    linkError: error === null ? null : getProviderLinkError(error),
  }
}

export async function action({ request }: Route.ActionArgs) {
  return handleSignInMethodForm(accountService, request, await readForm(request))
}

export const clientAction = createClientAction<typeof action>()

export default function SignInMethodsRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SignInMethodsPage {...loaderData} result={actionData} />
}

type SignInMethodsPageProps = {
  signInMethods: SignInMethods
  emailVerified: boolean
  timeZone: string
  /** Why a provider could not be added. */
  linkError: string | null
  /** The route action's result after a request without scripts. */
  result?: AccountFormResult
}

/** Joins names by commas and 'or'. */
const listFormat = new Intl.ListFormat('en-US', { type: 'disjunction' })

/** The page on which a learner adds and removes sign-in methods. */
function SignInMethodsPage({
  signInMethods,
  emailVerified,
  timeZone,
  linkError,
  result,
}: SignInMethodsPageProps) {
  const linkResult =
    linkError === null ? undefined : { done: false as const, errors: { form: linkError } }
  const pageForms = usePageForms(result ?? linkResult)
  const { displayedResult } = pageForms

  return (
    <SecurityPage title={signInMethodTexts.title} intro={signInMethodTexts.intro}>
      {displayedResult?.done && displayedResult.notice && (
        <Notice variant="good" className="mb-6">
          {displayedResult.notice}
        </Notice>
      )}
      {displayedResult?.done === false && (
        <Notice variant="bad" className="mb-6">
          {Object.values(displayedResult.errors)[0]}
        </Notice>
      )}
      {signInMethods.requiredProviders.length > 0 && (
        <Notice variant="info" className="mb-6">
          {signInMethodTexts.requiredProviders(listFormat.format(signInMethods.requiredProviders))}
        </Notice>
      )}
      <section className="card divide-y divide-line">
        <SignInMethodRow
          name="Password"
          status={signInMethods.hasPassword ? 'Set' : signInMethodTexts.noPassword}
        >
          {signInMethods.hasPassword ? (
            <RemoveForm
              name="your password"
              fields={{ intent: 'remove', way: 'credential' }}
              pageForms={pageForms}
            />
          ) : (
            <Link to="/ResetPassword" className="link py-2.5">
              Set a password by email
            </Link>
          )}
        </SignInMethodRow>
        {signInMethods.providers.map(({ id, name, isAdded }) => (
          <SignInMethodRow key={id} name={name} status={isAdded ? 'Added' : 'Not added'}>
            {isAdded ? (
              <RemoveForm
                name={name}
                fields={{ intent: 'remove', way: id }}
                pageForms={pageForms}
              />
            ) : (
              <SignInMethodForm fields={{ intent: 'add', way: id }} pageForms={pageForms}>
                <Button type="submit" variant="secondary">
                  Add {name}
                </Button>
              </SignInMethodForm>
            )}
          </SignInMethodRow>
        ))}
      </section>
      <section className="card mt-6 p-5 sm:p-6" aria-labelledby="passkeys-title">
        <h2 id="passkeys-title" className="font-bold text-lg">
          Passkeys
        </h2>
        <p className="mt-2 text-muted">{signInMethodTexts.passkeys}</p>
        {signInMethods.passkeys.length === 0 && (
          <p className="mt-4">{signInMethodTexts.noPasskeys}</p>
        )}
        <ul aria-labelledby="passkeys-title" className="mt-2 divide-y divide-line">
          {signInMethods.passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              host={signInMethods.host}
              timeZone={timeZone}
              pageForms={pageForms}
            />
          ))}
        </ul>
        <div className="mt-4">
          {emailVerified ? (
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
    </SecurityPage>
  )
}

type SignInMethodRowProps = { name: string; status: string; children: ReactNode }

function SignInMethodRow({ name, status, children }: SignInMethodRowProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-5 sm:p-6">
      <div>
        <h2 className="font-bold text-lg">{name}</h2>
        <p className="text-muted">{status}</p>
      </div>
      {children}
    </div>
  )
}

type SignInMethodFormProps = {
  fields: Record<string, string>
  pageForms: PageForms
  children: ReactNode
}

function SignInMethodForm({ fields, pageForms, children }: SignInMethodFormProps) {
  const formId = useId()
  const { onSuccess } = pageForms
  const form = useForm<AccountFormSuccess>({ onSuccess, shouldRevalidate: false })
  const error = pageForms.isReplaced(formId) ? undefined : form.errors.form

  return (
    // The server checks the name of a passkey, so the browser does not.
    <Form form={form} hiddenValues={fields} noValidate onSubmit={() => pageForms.startForm(formId)}>
      <fieldset disabled={form.isBusy} className="grid justify-items-start gap-3">
        {children}
        {error && <Notice variant="bad">{error}</Notice>}
      </fieldset>
    </Form>
  )
}

/** Asks for confirmation before it removes a sign-in method. */
function RemoveForm({
  name,
  fields,
  pageForms,
}: {
  name: string
  fields: Record<string, string>
  pageForms: PageForms
}) {
  return (
    <details>
      <summary className="link min-h-11 cursor-pointer py-2.5" aria-label={`Remove ${name}`}>
        Remove
      </summary>
      <SignInMethodForm fields={fields} pageForms={pageForms}>
        <SignOutOthersCheckbox />
        <Button type="submit" variant="danger">
          Remove {name}
        </Button>
      </SignInMethodForm>
    </details>
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
          <SignInMethodForm fields={{ intent: 'rename-passkey', id }} pageForms={pageForms}>
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
        <RemoveForm name={name} fields={{ intent: 'remove-passkey', id }} pageForms={pageForms} />
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
    pageForms.startForm(formId)
    const result = await import('~/features/accounts/passkeys/passkey-ceremony').then(
      (ceremony) => ceremony.addPasskey(),
      () => notLoadedResult,
    )
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
      {error && !pageForms.isReplaced(formId) && <Notice variant="bad">{error}</Notice>}
    </div>
  )
}

const signInMethodTexts = {
  title: 'Ways to sign in',
  intro: 'Have more than one, so that you can always get in.',
  passkeys:
    'A passkey is your phone, computer or password manager. You open it with your fingerprint, face or PIN, and it can’t be guessed or stolen by a false page.',
  noPasskeys: 'No passkeys yet.',
  previousHost: (previousHost: string, host: string) =>
    `Made for ${previousHost}, so it doesn’t work at ${host}. Add a new one here, then remove this one.`,
  noScripts: 'Adding a passkey needs JavaScript.',
  needsConfirmedEmail: 'To add a passkey, confirm your email address first.',
  noPassword: 'Not set.',
  /** @param names the names of the required providers, joined by commas and 'or' */
  requiredProviders: (names: string) =>
    `With your email address, you can only sign in with ${names}. Your other ways are kept, but don’t work for now.`,
} as const

/** Returns the message for an error code that the provider's callback put into the page's URL. */
function getProviderLinkError(code: string): string {
  if (code === 'provider-domain' || code === 'provider-unverified' || code === 'provider-away') {
    return accountErrorMessage(code)
  }

  if (code === 'account_already_linked_to_different_user') {
    return `It is already used for another ${siteName()} account.`
  }

  if (code === 'access_denied') {
    return 'Nothing was added.'
  }

  return 'That didn’t work. Please try again.'
}
