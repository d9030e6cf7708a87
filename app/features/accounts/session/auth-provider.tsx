import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useFetchers } from 'react-router'
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
  /** Awaits a sign-in or sign-out that has begun, then reloads the session or shows the error. */
  run(operation: Promise<OperationResult>): Promise<OperationResult>
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

  const state = useMemo<AuthState>(
    () => ({
      user: user ?? null,
      loading: user === undefined,
      busy: busy > 0 || signingIn,
      error,
      run,
      clearError,
      refresh: announce,
    }),
    [user, busy, signingIn, error, run, announce, clearError],
  )

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
