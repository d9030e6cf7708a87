import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useFetchers } from 'react-router'
import { accountErrorMessage, logoutServiceFailure, unexpectedFailures } from '../account-errors'
import { forgetSettingsDraft } from '../settings/settings-draft'
import { signInByPopup } from '../social/social-popup'
import type { SocialProviderId } from '../social/social-providers.server'
import type { SessionUser } from './session-user'

/** The result of every operation of the session: none throws. */
export type OperationResult = { success: true } | { success: false; error: string }

export type AuthState = {
  /** The session user merged with the stored profile; null for a visitor and while loading. */
  user: SessionUser | null
  /** True until the first result, and always on the server, because pages are rendered without a session. */
  loading: boolean
  /** True during register, login, social login and logout. */
  busy: boolean
  /** The banner's message; clears by itself. */
  error: string | null
  loginWithGoogle(from?: string): Promise<OperationResult>
  loginWithFacebook(from?: string): Promise<OperationResult>
  logout(): Promise<OperationResult>
  clearError(): void
  /** Reloads the session here and in other tabs, after it or the profile changed. */
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

type AuthProviderProps = {
  /** Undefined until the session is known, null for a visitor. */
  user: SessionUser | null | undefined
  /** Reads the session again. */
  refresh(): Promise<void>
  /** A form that registers or signs in is being sent. */
  signingIn: boolean
  children: ReactNode
}

/** Holds the session for every page and follows changes in other tabs. */
export function AuthProvider({ user, refresh, signingIn, children }: AuthProviderProps) {
  const [busy, setBusy] = useState(0)
  const { error, showError, clearError } = useClearingError()
  const announce = useOtherTabs(refresh)

  const run = useCallback(
    async (operation: Promise<OperationResult>) => {
      clearError()
      setBusy((count) => count + 1)
      try {
        const result = await operation
        if (result.success) await announce()
        else showError(result.error)
        return result
      } finally {
        setBusy((count) => count - 1)
      }
    },
    [announce, clearError, showError],
  )

  const state = useMemo<AuthState>(() => {
    const social = (provider: SocialProviderId) => (from?: string) => {
      const failed = { success: false as const, error: unexpectedFailures[provider] }
      return run(signInByPopup(provider, announce, from).catch(() => failed))
    }
    return {
      user: user ?? null,
      loading: user === undefined,
      busy: busy > 0 || signingIn,
      error,
      loginWithGoogle: social('google'),
      loginWithFacebook: social('facebook'),
      logout: () => run(requestLogout()),
      clearError,
      refresh: announce,
    }
  }, [user, busy, signingIn, error, run, announce, clearError])

  return <AuthContext value={state}>{children}</AuthContext>
}

export async function requestLogout(): Promise<OperationResult> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch('/account/logout', { method: 'POST', headers, body: '{}' }).catch(() => null)
  if (!response) return { success: false, error: accountErrorMessage('network-request-failed') }
  const answer = await response.json().catch(() => null)
  if (answer?.success === true) {
    await forgetSettingsDraft()
    return { success: true }
  }
  return { success: false, error: answer?.success === false ? logoutServiceFailure : unexpectedFailures.logout }
}

/** @returns a function that tells other tabs about a sign-in or sign-out in this one. */
function useOtherTabs(refresh: () => Promise<void>) {
  const channel = useRef<BroadcastChannel | null>(null)
  useEffect(() => {
    const others = new BroadcastChannel('learnify-session')
    others.onmessage = refresh
    channel.current = others
    return () => others.close()
  }, [refresh])
  return useCallback(async () => {
    await refresh()
    channel.current?.postMessage('changed')
  }, [refresh])
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

/** Whether a form that registers or signs in is being sent. */
export function useSigningIn(): boolean {
  return useFetchers().some(({ formAction }) => /^\/(Login|SignUp)(\?|$)/i.test(formAction ?? ''))
}
