/**
 * /Confirm: a signed-in learner confirms their identity before a sensitive action. The parameter
 * `from` is the path of the page that follows the confirmation.
 */
import { useNavigate } from 'react-router'
import { accountService } from '~/features/accounts/account-service.server'
import {
  AccountBanner,
  AccountPage,
  FormOutcome,
  OrLine,
} from '~/features/accounts/form/account-page'
import { CodeField, PasswordField } from '~/features/accounts/form/form-fields'
import {
  type AccountFormResult,
  type AccountFormSuccess,
  checkForm,
} from '~/features/accounts/form/form-result'
import { PasskeyButton } from '~/features/accounts/passkeys/passkey-sign-in'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { safeRedirect } from '~/features/accounts/sign-in/sign-in-urls'
import { SocialButtons } from '~/features/accounts/social/social-buttons'
import { confirmForms, confirmTexts, type Proof } from '~/features/accounts/step-up/confirm-forms'
import {
  type ConfirmationProofs,
  handleConfirmationForm,
  listConfirmationProofs,
} from '~/features/accounts/step-up/confirmation.server'
import { readForm } from '~/server/http/request-body.server'
import { Button } from '~/ui/button'
import { createClientAction } from '~/ui/form/client-action'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/confirm'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: confirmTexts.title,
    description: confirmTexts.intro,
    path: null,
    matches,
  })
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const { uid, email } = context.get(signedInLearner)
  const proofs = await listConfirmationProofs(accountService, uid)

  return { email, proofs, nextUrl: getNextUrl(url) }
}

export async function action({ request, url }: Route.ActionArgs) {
  const form = await readForm(request)
  return handleConfirmationForm(accountService, request, { form, nextUrl: getNextUrl(url) })
}

/** Returns the URL of the page that follows the confirmation. */
function getNextUrl(url: URL): string {
  return safeRedirect(url.searchParams.get('from'), '/Profile/settings')
}

export const clientAction = createClientAction<typeof action>()

export default function ConfirmRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ConfirmPage {...loaderData} result={actionData} />
}

type ConfirmPageProps = {
  email: string
  proofs: ConfirmationProofs
  /** The page that opens after the confirmation. */
  nextUrl: string
  /** The route action's result after a request without scripts. */
  result?: AccountFormResult
}

/** The banner shows the errors of passkeys and providers, which belong to no form. */
const noForm = { banner: undefined, clear: () => {} }

/** The page on which learners confirm their identity with any sign-in method of their account. */
function ConfirmPage({ email, proofs, nextUrl, result }: ConfirmPageProps) {
  const { enteredProofs, providers, hasPasskey } = proofs
  const submittedProof = result?.done ? 'mailed-code' : result?.submittedValues?.proof
  const navigate = useNavigate()
  const openNextPage = () => navigate(nextUrl, { replace: true })

  return (
    <AccountPage title={confirmTexts.title} intro={<p>{confirmTexts.intro}</p>}>
      <AccountBanner form={noForm} />
      <div className="grid gap-3">
        {hasPasskey && <PasskeyButton onSignedIn={openNextPage} />}
        <SocialButtons
          providers={providers}
          returnPath={nextUrl}
          isConfirmation
          onSignedIn={openNextPage}
        />
      </div>
      {enteredProofs.map((proof, index) => (
        <div key={proof}>
          {(index > 0 || hasPasskey || providers.length > 0) && <OrLine>or</OrLine>}
          <ProofForm
            proof={proof}
            email={email}
            initialResult={proof === submittedProof ? result : undefined}
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
    // The button that only sends a code has an intent, and needs no code.
    validate: (formData) =>
      formData.has('intent') ? undefined : checkForm(confirmForms[proof], formData).errors,
    initialResult,
    onSuccess: async ({ nextUrl }) => nextUrl && navigate(nextUrl, { replace: true }),
  })
  const isMailed = proof === 'mailed-code'

  return (
    <Form form={form} hiddenValues={{ proof }}>
      <fieldset disabled={form.isBusy} className="grid gap-5">
        {/* This field tells password managers which account the password belongs to. */}
        <input type="text" autoComplete="username" defaultValue={email} readOnly hidden />
        {/* The Enter key presses the first button, which must not send another code. */}
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
        <FormOutcome error={form.errors.form} notice={form.notice} />
        <Button type="submit" className="min-h-12 w-full">
          {form.isBusy && form.pendingIntent !== 'send' ? 'Confirming...' : 'Confirm'}
        </Button>
      </fieldset>
    </Form>
  )
}
