import type { ReactNode } from 'react'
import { Notice } from '~/ui/notice'
import { useAuth } from '../session/auth-provider'
import { LearningPathPicture } from './learning-path-picture'
import type { AccountNotice } from './notice-messages'

/** The frame of login, sign-up and reset: the form and, on wide screens, a panel about what an account is for. */
export function AccountPage({ title, intro, children }: { title: string; intro: ReactNode; children: ReactNode }) {
  const { busy } = useAuth()
  return (
    <div className="column grid items-start gap-x-16 py-8 md:py-14 lg:grid-cols-[minmax(0,1fr)_minmax(0,32rem)]">
      <aside
        aria-label="About Learnify"
        className="sticky top-24 hidden overflow-hidden rounded-card border border-line bg-accent-soft lg:block"
      >
        <LearningPathPicture />
        <div className="border-line border-t bg-surface p-8">
          <p className="font-bold text-2xl leading-snug tracking-tight">Pick up right where you left off.</p>
          <p className="mt-2 text-muted">
            Every lesson you finish, exam you take and certificate you earn stays with your account, on any device.
          </p>
        </div>
      </aside>
      <div aria-busy={busy} className="mx-auto w-full max-w-lg">
        <h1 className="title">{title}</h1>
        <div className="mt-2 mb-7 min-h-7 text-muted">{intro}</div>
        {children}
      </div>
    </div>
  )
}

/** Good or neutral news above a form. */
export function FormNotice({ notice }: { notice: AccountNotice | null }) {
  if (!notice) return null
  return (
    <Notice look={notice.look} silent className="mb-6">
      {notice.text}
    </Notice>
  )
}

/** The line between the social buttons and the form. */
export function OrByEmail() {
  return (
    <p className="my-6 flex items-center gap-4 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or use email
    </p>
  )
}
