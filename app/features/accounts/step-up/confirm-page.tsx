import { useNavigate } from 'react-router'
import { Button } from '~/ui/button'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { Notice } from '~/ui/notice'
import { AccountBanner, AccountPage, FormOutcome, OrLine } from '../form/account-page'
import { PasswordField } from '../form/form-fields'
import { type AccountFormResult, type AccountFormSuccess, checkForm } from '../form/form-result'
import { PasskeyButton } from '../passkeys/passkey-sign-in'
import { SocialButtons } from '../social/social-buttons'
import type { ProviderName } from '../social/social-providers.server'
import { CodeField } from '../two-factor/code-field'
import { confirmForms, confirmTexts, type Proof } from './confirm-forms'

type ConfirmPageProps = {
  email: string
  proofs: { typed: Proof[]; providers: ProviderName[]; passkey: boolean }
  /** The page that opens after the confirmation. */
  nextUrl: string
  /** The action's result for a form without scripts. */
  result?: AccountFormResult
}

/** The messages of passkeys and providers, which have no form. */
const noForm = { banner: undefined, clear: () => {} }

/** The page on which learners confirm their identity with any sign-in method of their account. */
export function ConfirmPage({ email, proofs, nextUrl, result }: ConfirmPageProps) {
  const sent = result?.done ? 'mailed-code' : result?.submittedValues?.proof
  const navigate = useNavigate()
  const leave = () => navigate(nextUrl, { replace: true })

  return (
    <AccountPage title={confirmTexts.title} intro={<p>{confirmTexts.intro}</p>}>
      <AccountBanner form={noForm} />
      <div className="grid gap-3">
        {proofs.passkey && <PasskeyButton onSignedIn={leave} />}
        <SocialButtons providers={proofs.providers} from={nextUrl} confirms onSignedIn={leave} />
      </div>
      {proofs.typed.map((proof, place) => (
        <div key={proof}>
          {(place > 0 || proofs.passkey || proofs.providers.length > 0) && <OrLine>or</OrLine>}
          <ProofForm
            proof={proof}
            email={email}
            initialResult={proof === sent ? result : undefined}
          />
        </div>
      ))}
    </AccountPage>
  )
}

type ProofFormProps = { proof: Proof; email: string; initialResult: AccountFormResult | undefined }

function ProofForm({ proof, email, initialResult }: ProofFormProps) {
  const navigate = useNavigate()
  const form = useForm<AccountFormSuccess>({
    validate: (entered) =>
      entered.has('intent') ? undefined : checkForm(confirmForms[proof], entered).errors,
    initialResult,
    onSuccess: async ({ nextUrl }) => nextUrl && navigate(nextUrl, { replace: true }),
  })
  const isMailed = proof === 'mailed-code'

  return (
    <Form form={form} hiddenValues={{ proof }}>
      <fieldset disabled={form.isBusy} className="grid gap-5">
        {/* This field tells password managers which account the password belongs to. */}
        <input type="text" autoComplete="username" defaultValue={email} readOnly hidden />
        {/* The first button is the one that Enter presses. */}
        <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only">
          Enter
        </button>
        {isMailed && (
          <Button
            type="submit"
            name="intent"
            value="send"
            variant="secondary"
            className="min-h-12 w-full"
          >
            {form.pendingIntent === 'send' ? 'Sending...' : 'Email me a code'}
          </Button>
        )}
        {proof === 'password' ? (
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            error={form.errors.password}
          />
        ) : (
          <CodeField
            label="Code"
            hint={isMailed ? confirmTexts.codeHint : confirmTexts.appHint}
            error={form.errors.code}
          />
        )}
        {form.errors.form && <Notice variant="bad">{form.errors.form}</Notice>}
        <FormOutcome error={undefined} notice={form.notice} />
        <Button type="submit" className="min-h-12 w-full">
          {form.isBusy && form.pendingIntent !== 'send' ? 'Confirming...' : 'Confirm'}
        </Button>
      </fieldset>
    </Form>
  )
}
