/**
 * /NotMe: locks an account down through the link in an email about a change of the account.
 *
 * The secret token in the link is the only authorization, because the reader may be signed out and
 * someone else may be signed in. The page also works without JavaScript.
 */
import { Form, redirect, useNavigation } from 'react-router'
import { accountErrorMessage } from '~/features/accounts/account-errors'
import { accountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { accountErrorResponse } from '~/features/accounts/form/account-error-response.server'
import { AccountPage, FormOutcome } from '~/features/accounts/form/account-page'
import {
  findRecoveryLink,
  revertAccountChanges,
} from '~/features/accounts/security/account-recovery.server'
import {
  consumeClientAttempts,
  createRequestContext,
} from '~/features/accounts/session/request-context.server'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/http/request-body.server'
import { Button, ButtonLink } from '~/ui/button'
import { formatDateTime } from '~/ui/format-date'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/account-recovery'

/**
 * The URL contains the secret token, so the page must not be cached, and its full URL must not be
 * sent as a referrer. 'no-referrer' would also remove the Origin header, which the check against
 * cross-site requests needs.
 */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export function meta({ matches }: Route.MetaArgs) {
  const description = `Lock down your ${siteName()} account after something that wasn’t you.`
  return pageMeta({ title: 'This wasn’t me', description, path: null, matches })
}

type RecoveryLinkView = {
  token: string
  /** The account's email before the change. It becomes the account's email again. */
  previousEmail: string
  /** When the change was made. Everything that was added since then is removed. */
  changedAt: string
  timeZone: string
}

/** Loads the link. The loader must not lock the account, because email scanners open every link. */
export async function loader({ url }: Route.LoaderArgs): Promise<RecoveryLinkView | null> {
  const token = url.searchParams.get('key')
  const link = token ? await findRecoveryLink(db, token) : null
  if (!token || !link) {
    return null
  }

  return {
    token,
    previousEmail: link.email,
    changedAt: link.since.toISOString(),
    timeZone: link.timeZone,
  }
}

export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request)
  const token = String(form.get('key') ?? '')

  const requestContext = createRequestContext(request)
  const isWithinLimit = await consumeClientAttempts(
    accountService,
    requestContext,
    attemptLimits.accountRecoveryByClient,
  )
  if (!isWithinLimit) {
    return accountErrorResponse('too-many-requests')
  }

  const outcome = await revertAccountChanges(accountService, requestContext, token)
  if (outcome === 'link-expired') {
    return accountErrorResponse(outcome)
  }

  return redirect(`/Login?notice=account-${outcome}`, 303)
}

export default function AccountRecoveryRoute({
  loaderData: link,
  actionData: result,
}: Route.ComponentProps) {
  const actionError = result && !result.done ? result.errors.form : undefined
  if (!link) {
    return (
      <AccountPage
        title="This link can’t be used"
        intro={
          <p>
            If you think someone else is in your account, set a new password: that signs out every
            device.
          </p>
        }
      >
        <div className="grid gap-5">
          <FormOutcome error={actionError ?? accountErrorMessage('link-expired')} notice={null} />
          <ButtonLink to="/ResetPassword">Reset my password</ButtonLink>
        </div>
      </AccountPage>
    )
  }

  return (
    <AccountPage
      title="Wasn’t that you?"
      intro={
        <p>
          We can lock down the account of{' '}
          <strong className="text-ink [overflow-wrap:anywhere]">{link.previousEmail}</strong> right
          away. Nothing has been changed yet.
        </p>
      }
    >
      <div className="grid gap-5">
        <Consequences link={link} />
        <FormOutcome error={actionError} notice={null} />
        <LockDownForm token={link.token} />
      </div>
    </AccountPage>
  )
}

function Consequences({ link }: { link: RecoveryLinkView }) {
  const { previousEmail, changedAt, timeZone } = link

  return (
    <ul className="list-disc space-y-1.5 pl-5 marker:text-edge">
      <li>Every device is signed out, and the password stops working.</li>
      <li>
        Ways to sign in, passkeys, second factors and recovery codes that were added since{' '}
        {formatDateTime(changedAt, timeZone)} are removed.
      </li>
      <li>Links in earlier emails to reset the password or confirm an address stop working.</li>
      <li>
        If the email address was changed, it becomes{' '}
        <span className="[overflow-wrap:anywhere]">{previousEmail}</span> again.
      </li>
      <li>We email you a link to set a new password. Your courses and progress stay.</li>
    </ul>
  )
}

function LockDownForm({ token }: { token: string }) {
  const isBusy = useNavigation().formMethod !== undefined

  return (
    <Form method="post" action="/NotMe">
      <input type="hidden" name="key" value={token} />
      <Button type="submit" variant="danger" disabled={isBusy} className="min-h-12 w-full">
        {isBusy ? 'Locking down...' : 'Lock down my account'}
      </Button>
    </Form>
  )
}
