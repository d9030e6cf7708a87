import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useFetchers } from 'react-router'
import type { SessionUser } from '../account-queries.server'

/** The result of every operation of the session. */
export type OperationResult =
  | { success: true; secondStep?: true }
  | { success: false; error: string }

export type AuthState = {
  /** The session user merged with the stored profile; null for a visitor and while loading. */
  user: SessionUser | null
  /**
   * True until the first result, and always on the server, because pages are rendered without a
   * session.
   */
  loading: boolean
  /** True during register, login, social login and logout. */
  busy: boolean
  /** The banner's message; clears by itself. */
  error: string | null
  clearError(): void
  /**
   * Runs an operation that begins or ends the session: the page is busy meanwhile, and the banner
   * shows its error.
   */
  perform(operation: Promise<OperationResult>): Promise<OperationResult>
  /** Reloads the session here and in other tabs, after it or the profile changed. */
  refresh(): Promise<void>
}

const AuthContext = createContext<AuthState | null>(null)

/** Milliseconds after which the displayed error clears by itself. */
export const errorClearsAfterMs = 5000

/** @throws outside of its provider. */
export function useAuth(): AuthState {
  const auth = useContext(AuthContext)
  if (!auth) {
    throw new Error('useAuth must be used within an AuthProvider')
  }

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
export function AuthProvider({
  user,
  refresh: refreshHere,
  signingIn,
  children,
}: AuthProviderProps) {
  const [operations, setOperations] = useState(0)
  const { error, showError, clearError } = useClearingError()
  const refresh = useOtherTabs(refreshHere)
  const busy = signingIn || operations > 0

  const perform = useCallback(
    async (operation: Promise<OperationResult>) => {
      clearError()
      setOperations((count) => count + 1)
      try {
        const result = await operation
        if (result.success) {
          await refresh()
        } else {
          showError(result.error)
        }

        return result
      } finally {
        setOperations((count) => count - 1)
      }
    },
    [refresh, clearError, showError],
  )

  const state = useMemo(
    () => ({
      user: user ?? null,
      loading: user === undefined,
      busy,
      error,
      clearError,
      perform,
      refresh,
    }),
    [user, busy, error, clearError, perform, refresh],
  )

  return <AuthContext value={state}>{children}</AuthContext>
}

/** Whether a form that registers or signs in is being sent. */
export function useSigningIn(): boolean {
  return useFetchers().some(({ formAction }) => /^\/(Login|SignUp)(\?|$)/i.test(formAction ?? ''))
}

/** @returns a function that refreshes the session here and in other tabs. */
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
