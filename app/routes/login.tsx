import { loginAction } from '~/features/accounts/account-form-actions.server'
import { LoginPage } from '~/features/accounts/login-page'
import { demoCredentials } from '~/server/auth/demo-account.server'
import { accountService } from '~/server/auth.server'
import { env } from '~/server/env.server'
import { publicPage } from '~/server/page-cache.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/login'

export function headers() {
  return publicPage()
}

export function meta({ matches }: Route.MetaArgs) {
  const description = 'Sign in to Learnify with your email, Google or Facebook, and go on where you stopped.'
  return pageMeta({ title: 'Login', description, path: '/Login', matches })
}

export function loader() {
  return { socialProviders: accountService.socialProviders, demo: env.DEMO_ACCOUNT ? demoCredentials : null }
}

export function action({ request }: Route.ActionArgs) {
  return loginAction(request)
}

export default function LoginRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <LoginPage offer={loaderData} reply={actionData} />
}
