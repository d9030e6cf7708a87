import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { SessionUser, SocialProviderId } from '~/server/auth/account-codes'
import type { Credentials, OperationResult, Registration } from './account-operations'
import * as operations from './account-operations'
import { signInByPopup, unexpectedSocialFailure } from './social-popup'

export type AuthState = {
  /** The session user merged with the stored profile; null for a visitor and while loading. */
  user: SessionUser | null
  /** True until the first result; also on the server, which never looks at who asks for a page. */
  loading: boolean
  /** True during register, login, social login and logout. */
  busy: boolean
  /** What the banner shows; clears by itself. */
  error: string | null
  register(registration: Registration): Promise<OperationResult>
  login(credentials: Credentials): Promise<OperationResult>
  loginWithGoogle(from?: string): Promise<OperationResult>
  loginWithFacebook(from?: string): Promise<OperationResult>
  logout(): Promise<OperationResult>
  resetPassword(email: string): Promise<OperationResult>
  /** Shows a message in the banner as if an operation had given it. */
  showError(message: string): void
  clearError(): void
  /** Reads the session anew: the profile was changed. */
  refresh(): Promise<void>
}

const AuthContext = createContext<AuthState | null>(null)

/** Milliseconds after which the displayed error clears by itself. */
export const errorClearsAfterMs = 5000

/** @throws outside of its provider. */
export function useAuth(): AuthState {
  const auth = useContext(AuthContext)
  if (!auth) throw new Error('useAuth must be used within an AuthProvider')
  return auth
}

/**
 * Holds the session for every page; asks for it once after hydration and follows what other tabs do.
 *
 * @param marker the cookie that tells that there is a session to ask for.
 */
export function AuthProvider({ marker, children }: { marker: string; children: ReactNode }) {
  const session = useSession(marker)
  const [busy, setBusy] = useState(0)
  const { error, showError, clearError } = useClearingError()
  const { refresh, announce } = session

  const run = useCallback(
    async (operation: () => Promise<OperationResult>, changesSession: boolean) => {
      clearError()
      if (changesSession) setBusy((count) => count + 1)
      try {
        const result = await operation()
        if (!result.success) showError(result.error)
        else if (changesSession) await announce()
        return result
      } finally {
        if (changesSession) setBusy((count) => count - 1)
      }
    },
    [announce, clearError, showError],
  )

  const state = useMemo<AuthState>(() => {
    const social = (provider: SocialProviderId) => (from?: string) => {
      // Outside of `run`'s first await: a popup has to open in the click itself.
      const ending = signInByPopup(provider, announce, from).catch(() => unexpectedSocialFailure(provider))
      return run(() => ending, true)
    }
    return {
      user: session.user,
      loading: session.loading,
      busy: busy > 0,
      error,
      register: (registration) => run(() => operations.register(registration), true),
      login: (credentials) => run(() => operations.login(credentials), true),
      loginWithGoogle: social('google'),
      loginWithFacebook: social('facebook'),
      logout: () => run(operations.logout, true),
      resetPassword: (email) => run(() => operations.resetPassword(email), false),
      showError,
      clearError,
      refresh,
    }
  }, [session.user, session.loading, busy, error, run, announce, refresh, showError, clearError])

  return <AuthContext value={state}>{children}</AuthContext>
}

function useSession(marker: string) {
  const [user, setUser] = useState<SessionUser | null>(null)
  const [loading, setLoading] = useState(true)
  const channel = useRef<BroadcastChannel | null>(null)

  const refresh = useCallback(async () => {
    try {
      setUser(hasCookie(marker) ? await operations.readSession() : null)
    } catch {
      // Nobody knows just now: what was known stays, and the first time that is a visitor.
    }
    setLoading(false)
  }, [marker])

  /** This tab signed in or out: so do the others. */
  const announce = useCallback(async () => {
    await refresh()
    channel.current?.postMessage('changed')
  }, [refresh])

  useEffect(() => {
    const others = new BroadcastChannel('learnify-session')
    others.onmessage = refresh
    channel.current = others
    refresh()
    return () => others.close()
  }, [refresh])

  return { user, loading, refresh, announce }
}

function hasCookie(name: string): boolean {
  return document.cookie.split('; ').some((cookie) => cookie.startsWith(`${name}=`))
}

function useClearingError() {
  const [error, setError] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const clearError = useCallback(() => {
    clearTimeout(timer.current)
    setError(null)
  }, [])
  const showError = useCallback((message: string) => {
    clearTimeout(timer.current)
    setError(message)
    timer.current = setTimeout(() => setError(null), errorClearsAfterMs)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])

  return { error, showError, clearError }
}
