import { MailOpen } from 'lucide-react'
import { data } from 'react-router'
import { env, isLoopback } from '~/server/env.server'
import { isDirectRequest } from '~/server/http/request-source.server'
import { serverMessages } from '~/server/http/server-messages.server'
import { listStoredEmails } from '~/server/mail/dev-mailbox.server'
import { EmptyState } from '~/ui/empty-state'
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

/** @throws 404 if emails are sent, or if the client is not on this machine */
export async function loader() {
  const hasDevMailbox = isLoopback && !env.SMTP_URL
  if (!hasDevMailbox || !isDirectRequest()) {
    throw data(serverMessages.noMailHere, { status: 404 })
  }

  return { emails: await listStoredEmails() }
}

export default function MailRoute({ loaderData }: Route.ComponentProps) {
  return <DevMailbox emails={loaderData.emails} />
}

type StoredEmail = { name: string; to: string; subject: string; text: string }

export function DevMailbox({ emails }: { emails: StoredEmail[] }) {
  return (
    <div className="column max-w-3xl py-10 md:py-14">
      <h1 className="title">Mail on this machine</h1>
      <p className="mt-2 mb-8 text-muted">
        No mail server is set up, so emails are kept here instead of being sent. Only this machine
        can see them.
      </p>
      {emails.length === 0 ? (
        <EmptyState icon={<MailOpen />} title="No emails yet">
          Sign up or request a password reset, then reload this page.
        </EmptyState>
      ) : (
        <ul className="grid gap-6">
          {emails.map(({ name, to, subject, text }) => (
            <li key={name} className="card p-6">
              <h2 className="font-bold text-lg">{subject}</h2>
              <p className="text-muted text-sm">To {to}</p>
              <p className="mt-4 whitespace-pre-line">
                <TextWithLinks text={text} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function TextWithLinks({ text }: { text: string }) {
  // The regular expression has a group, so that every second piece is a URL.
  return text.split(/(https?:\/\/\S+)/).map((piece, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text that never changes.
      <a key={index} href={piece} className="link break-all">
        {piece}
      </a>
    ) : (
      piece
    ),
  )
}
