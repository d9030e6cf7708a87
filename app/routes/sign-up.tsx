import { unexpectedFailures } from '~/features/accounts/account-errors'
import { accountService } from '~/features/accounts/account-service.server'
import { answerForm } from '~/features/accounts/form/answer-form.server'
import { resultOr } from '~/features/accounts/form/form-result'
import { ownPath } from '~/features/accounts/sign-in/own-path'
import { registerAccount } from '~/features/accounts/sign-up/registration.server'
import { signUpForm } from '~/features/accounts/sign-up/sign-up-form-schema'
import { SignUpPage } from '~/features/accounts/sign-up/sign-up-page'
import { publicPage } from '~/server/cache-public-pages.server'
import { readForm } from '~/server/request-body.server'
import { revalidateUnlessRefused } from '~/ui/action-result'
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
  const onward = ownPath(url.searchParams.get('from'))
  return answerForm(request, await readForm(request), signUpForm, registerAccount, { onward })
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return resultOr(serverAction, unexpectedFailures.register)
}

export const shouldRevalidate = revalidateUnlessRefused

export default function SignUpRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SignUpPage socialProviders={loaderData.socialProviders} result={actionData} />
}
