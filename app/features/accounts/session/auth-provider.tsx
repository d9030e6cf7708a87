import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useFetchers } from 'react-router'
import { unexpectedFailures } from '../account-errors'
import type { OperationResult } from '../operations/account-operations'
import * as operations from '../operations/account-operations'
import type { Credentials } from '../sign-in/sign-in.server'
import type { Registration } from '../sign-up/registration.server'
import { signInByPopup } from '../social/social-popup'
import type { SocialProviderId } from '../social/social-providers.server'
import type { SessionUser } from './session-user'

export type AuthState = {
  /** The session user merged with the stored profile; null for a visitor and while loading. */
  user: SessionUser | null
  /** True until the first result, and always on the server, because pages are rendered without a session. */
  loading: boolean
  /** True during register, login, social login and logout. */
  busy: boolean
  /** The banner's message; clears by itself. */
  error: string | null
  register(registration: Registration): Promise<OperationResult>
  login(credentials: Credentials): Promise<OperationResult>
  loginWithGoogle(from?: string): Promise<OperationResult>
  loginWithFacebook(from?: string): Promise<OperationResult>
  logout(): Promise<OperationResult>
  resetPassword(email: string): Promise<OperationResult>
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
      const ending = signInByPopup(provider, announce, from).catch(() => ({
        success: false as const,
        error: unexpectedFailures[provider],
      }))
      return run(() => ending, true)
    }
    return {
      user: user ?? null,
      loading: user === undefined,
      busy: busy > 0 || signingIn,
      error,
      register: (registration) => run(() => operations.register(registration), true),
      login: (credentials) => run(() => operations.login(credentials), true),
      loginWithGoogle: social('google'),
      loginWithFacebook: social('facebook'),
      logout: () => run(operations.logout, true),
      resetPassword: (email) => run(() => operations.resetPassword(email), false),
      clearError,
      refresh: announce,
    }
  }, [user, busy, signingIn, error, run, announce, clearError])

  return <AuthContext value={state}>{children}</AuthContext>
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
