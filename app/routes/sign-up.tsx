import { signUpAction } from '~/features/accounts/account-form-actions.server'
import { SignUpPage } from '~/features/accounts/sign-up-page'
import { accountService } from '~/server/auth.server'
import { publicPage } from '~/server/page-cache.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/sign-up'

export function headers() {
  return publicPage()
}

export function meta({ matches }: Route.MetaArgs) {
  const description = 'Create a free Learnify account with your email, Google or Facebook, and start learning today.'
  return pageMeta({ title: 'Sign up', description, path: '/SignUp', matches })
}

export function loader() {
  return { socialProviders: accountService.socialProviders }
}

export function action({ request }: Route.ActionArgs) {
  return signUpAction(request)
}

export default function SignUpRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <SignUpPage socialProviders={loaderData.socialProviders} reply={actionData} />
}
