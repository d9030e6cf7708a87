import { Form, useNavigation } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { formatDateTime } from '~/ui/format-date'
import { accountErrorMessage } from '../account-errors'
import { AccountPage, FormOutcome } from '../form/account-page'
import type { AccountFormResult } from '../form/form-result'

/** The link in the page's address; `since` is an ISO date-time. */
export type NotMeLink = { token: string; email: string; since: string; timeZone: string } | null

/**
 * Behind 'This wasn't me' of an email; also for those who aren't signed in, and without scripts.
 */
export function NotMePage({
  link,
  result,
}: {
  link: NotMeLink
  result: AccountFormResult | undefined
}) {
  const linkProblem = link ? null : accountErrorMessage('link-expired')
  const problem = result && !result.done ? result.errors.form : linkProblem
  return (
    <AccountPage
      title={link ? 'Wasn’t that you?' : 'This link can’t be used'}
      intro={<p>{introOf(link)}</p>}
    >
      <div className="grid gap-5">
        {link && <Consequences link={link} />}
        <FormOutcome error={problem} notice={null} />
        {link ? (
          <LockDown token={link.token} />
        ) : (
          <ButtonLink to="/ResetPassword">Reset my password</ButtonLink>
        )}
      </div>
    </AccountPage>
  )
}

function introOf(link: NotMeLink) {
  if (!link) {
    return 'If you think someone else is in your account, set a new password: that signs out every device.'
  }

  return (
    <>
      We can lock down the account of{' '}
      <strong className="text-ink [overflow-wrap:anywhere]">{link.email}</strong> right away.
      Nothing has been changed yet.
    </>
  )
}

function Consequences({ link: { email, since, timeZone } }: { link: NonNullable<NotMeLink> }) {
  return (
    <ul className="list-disc space-y-1.5 pl-5 marker:text-edge">
      <li>Every device is signed out, and the password stops working.</li>
      <li>
        Ways to sign in, passkeys, second factors and recovery codes that were added since{' '}
        {formatDateTime(since, timeZone)} are removed.
      </li>
      <li>Links in earlier emails to reset the password or confirm an address stop working.</li>
      <li>
        If the email address was changed, it becomes{' '}
        <span className="[overflow-wrap:anywhere]">{email}</span> again.
      </li>
      <li>We email you a link to set a new password. Your courses and progress stay.</li>
    </ul>
  )
}

function LockDown({ token }: { token: string }) {
  const busy = useNavigation().formMethod !== undefined
  return (
    <Form method="post" action="/NotMe">
      <input type="hidden" name="key" value={token} />
      <Button type="submit" variant="danger" disabled={busy} className="min-h-12 w-full">
        {busy ? 'Locking down...' : 'Lock down my account'}
      </Button>
    </Form>
  )
}
