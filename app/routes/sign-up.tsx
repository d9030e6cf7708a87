import { unexpectedFailures } from '~/features/accounts/account-errors'
import { accountService } from '~/features/accounts/account-service.server'
import { refuseAccountForm } from '~/features/accounts/form/account-refusal.server'
import { checkForm } from '~/features/accounts/form/form-check'
import { type FormDone, refuseUnansweredForm } from '~/features/accounts/form/form-result'
import { openVisit } from '~/features/accounts/session/visit.server'
import { ownPath } from '~/features/accounts/sign-in/own-path'
import { registerAccount } from '~/features/accounts/sign-up/registration.server'
import { signUpForm } from '~/features/accounts/sign-up/sign-up-form-schema'
import { SignUpPage } from '~/features/accounts/sign-up/sign-up-page'
import { done, refuse } from '~/server/action-result.server'
import { publicPage } from '~/server/page-cache.server'
import { readForm } from '~/server/request-body.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/sign-up'

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders.has('Cache-Control') ? actionHeaders : publicPage()
}

export function meta({ matches }: Route.MetaArgs) {
  const description = 'Create a free Learnify account with your email, Google or Facebook, and start learning today.'
  return pageMeta({ title: 'Sign up', description, path: '/SignUp', matches })
}

export function loader() {
  return { socialProviders: accountService.providers.map(({ id }) => id) }
}

export async function action({ request, url }: Route.ActionArgs) {
  const form = await readForm(request)
  const { data, errors } = checkForm(signUpForm, form)
  if (errors) return refuse(errors, { form })
  const visit = openVisit(request)
  const refusal = await registerAccount(accountService, visit, data)
  if (refusal) return refuseAccountForm(refusal, { form, headers: visit.cookies })
  const onward = ownPath(url.searchParams.get('from'))
  return done<FormDone>({ onward }, { page: onward, headers: visit.cookies })
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch((error) => refuseUnansweredForm(error, unexpectedFailures.register))
}

export default function SignUpRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SignUpPage socialProviders={loaderData.socialProviders} result={actionData} />
}
