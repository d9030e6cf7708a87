/**
 * /Profile/name: asks a learner for their name, for example if their sign-in provider didn't send
 * it. `requireName` redirects them here, and the form leads back to the page that they were
 * opening.
 */
import { Link, redirect, useNavigate } from 'react-router'
import { recordMissingName } from '~/features/accounts/account-queries.server'
import { AccountPage, FormOutcome } from '~/features/accounts/form/account-page'
import { NameFields } from '~/features/accounts/form/form-fields'
import {
  type AccountFormResult,
  type AccountFormSuccess,
  checkForm,
} from '~/features/accounts/form/form-result'
import { missingNameForm } from '~/features/accounts/form/form-schemas'
import { isRealName } from '~/features/accounts/full-name'
import { useAuth } from '~/features/accounts/session/auth-provider'
import { LogoutButton } from '~/features/accounts/session/learner-menu'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { safeRedirect } from '~/features/accounts/sign-in/sign-in-urls'
import { db } from '~/server/database/client.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { Button } from '~/ui/button'
import { createClientAction } from '~/ui/form/client-action'
import { Form } from '~/ui/form/form'
import { useForm } from '~/ui/form/use-form'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/missing-name'

const missingNameTexts = {
  title: 'What’s your name?',
  intro: 'Your name appears on your certificates and reviews, and we don’t know it yet.',
} as const

export function meta({ matches }: Route.MetaArgs) {
  const { title, intro: description } = missingNameTexts
  return pageMeta({ title, description, path: null, matches })
}

export function loader({ context, url }: Route.LoaderArgs) {
  const { displayName, email } = context.get(signedInLearner)
  if (isRealName(displayName)) {
    throw redirect(getNextUrl(url))
  }

  return { email }
}

/** A certificate that waited for the name is issued by a background job, within seconds. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const form = await readForm(request)
  const { data, errors } = checkForm(missingNameForm, form)
  if (errors) {
    return errorResponse(errors, { form })
  }

  await recordMissingName(db, uid, data)

  const nextUrl = getNextUrl(url)
  return successResponse<AccountFormSuccess>({ nextUrl }, { redirectTo: nextUrl })
}

/** Returns the URL of the page that the learner was opening. */
function getNextUrl(url: URL): string {
  return safeRedirect(url.searchParams.get('from'))
}

export const clientAction = createClientAction<typeof action>()

export default function MissingNameRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <MissingNamePage email={loaderData.email} result={actionData} />
}

type MissingNamePageProps = {
  email: string
  /** The route action's result after a request without scripts. */
  result?: AccountFormResult
}

function MissingNamePage({ email, result }: MissingNamePageProps) {
  const navigate = useNavigate()
  const { refresh } = useAuth()
  const form = useForm<AccountFormSuccess>({
    validate: (formData) => checkForm(missingNameForm, formData).errors,
    initialResult: result,
    onSuccess: async ({ nextUrl }) => {
      if (nextUrl) {
        // The header shows the new name.
        await refresh()
        await navigate(nextUrl, { replace: true })
      }
    },
    // The loader would redirect at once, because the name is no longer missing.
    shouldRevalidate: false,
  })

  return (
    <AccountPage title={missingNameTexts.title} intro={<p>{missingNameTexts.intro}</p>}>
      <Form form={form}>
        <fieldset disabled={form.isBusy} className="grid gap-5">
          <legend className="sr-only">{missingNameTexts.title}</legend>
          <NameFields
            names={result?.done ? undefined : result?.submittedValues}
            errors={form.errors}
            isLastNameRequired={false}
          />
          <FormOutcome error={form.errors.form} notice={undefined} />
          <Button type="submit" className="min-h-12 w-full">
            {form.isBusy ? 'Saving...' : 'Continue'}
          </Button>
        </fieldset>
      </Form>
      <div className="mt-8 grid justify-items-center gap-1 text-center text-muted">
        <p>
          You’re signed in as <strong className="text-ink [overflow-wrap:anywhere]">{email}</strong>
          .
        </p>
        <p>
          <Link to="/Profile/settings" className="link">
            Account settings
          </Link>
        </p>
        <LogoutButton className="link min-h-11 noscript:hidden" />
      </div>
    </AccountPage>
  )
}
