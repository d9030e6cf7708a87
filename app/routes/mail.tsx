import { data } from 'react-router'
import { DevMailbox } from '~/features/accounts/mail/dev-mailbox'
import { env, isLoopback } from '~/server/env.server'
import { cameDirectly } from '~/server/http/client-address.server'
import { noMailHere } from '~/server/http/server-messages.server'
import { listMessages } from '~/server/mail/dev-mailbox.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/mail'

export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: 'Mail on this machine',
    description: 'Emails kept on this machine instead of being sent.',
    path: null,
    matches,
  })
}

/** Only where email is kept instead of sent, and only for someone at this machine. */
export async function loader() {
  const here = isLoopback && !env.SMTP_URL && cameDirectly()
  if (!here) throw data(noMailHere, { status: 404 })
  return { messages: await listMessages() }
}

export default function MailRoute({ loaderData }: Route.ComponentProps) {
  return <DevMailbox messages={loaderData.messages} />
}
