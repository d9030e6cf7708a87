import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import type { AccountFormResult } from '../form/form-result'
import { usePageForms } from '../security/page-forms'
import { SecurityPage } from '../security/security-page'
import { PasskeySection } from './passkey-section'
import { RemoveForm, SignInMethodForm } from './sign-in-method-forms'
import { signInMethodTexts } from './sign-in-method-texts'
import type { SignInMethods } from './sign-in-methods.server'

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
export function SignInMethodsPage({
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
              methodName="your password"
              hiddenValues={{ intent: 'remove', way: 'credential' }}
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
                methodName={name}
                hiddenValues={{ intent: 'remove', way: id }}
                pageForms={pageForms}
              />
            ) : (
              <SignInMethodForm hiddenValues={{ intent: 'add', way: id }} pageForms={pageForms}>
                <Button type="submit" variant="secondary">
                  Add {name}
                </Button>
              </SignInMethodForm>
            )}
          </SignInMethodRow>
        ))}
      </section>
      <PasskeySection
        passkeys={signInMethods.passkeys}
        host={signInMethods.host}
        isEmailVerified={emailVerified}
        timeZone={timeZone}
        pageForms={pageForms}
      />
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
