import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAuth } from '../session/auth-provider'

/** On login and sign-up, which everyone may open: who is signed in already, and where to go from there. */
export function SignedInHint({ children }: { children: ReactNode }) {
  const { user, busy } = useAuth()
  if (!user || busy) return <p>{children}</p>
  return (
    <p>
      You’re signed in as <strong className="text-ink">{user.displayName}</strong>.{' '}
      <Link to="/Profile" className="link">
        Go to your profile
      </Link>
    </p>
  )
}
