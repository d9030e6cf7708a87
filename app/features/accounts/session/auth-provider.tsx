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
import type { SessionUser } from './session-user.server'

/** The result of an operation that begins or ends the session. */
export type OperationResult =
  | {
      success: true
      /**
       * True if the learner still has to enter a code of the second factor before being signed in.
       */
      needsSecondStep?: true
    }
  | { success: false; error: string }

type AuthState = {
  /** The signed-in learner; null for a visitor, and until the session is known. */
  user: SessionUser | null
  /**
   * False on the server, which renders pages without the session, and until the browser has read
   * it.
   */
  isSessionKnown: boolean
  /** Whether an operation is running that begins or ends the session. */
  isBusy: boolean
  /** The message in the banner of the account pages, which disappears after some seconds. */
  error: string | null
  clearError(): void
  /**
   * Waits for an operation that begins or ends the session, and then reads the session again. The
   * banner shows the operation's error.
   */
  trackOperation(operation: Promise<OperationResult>): Promise<OperationResult>
  /** Reads the session again, here and in other tabs. */
  refresh(): Promise<void>
}

const AuthContext = createContext<AuthState | null>(null)

/** How long the banner shows an error. */
export const errorDurationMs = 5000

/** @throws outside of an `AuthProvider` */
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
  /** Reads the session again in this tab. */
  refreshThisTab(): Promise<void>
  /** Whether a form that registers or signs in is being sent. */
  isSigningIn: boolean
  children: ReactNode
}

/** Provides the session to every page, and follows changes of the session in other tabs. */
export function AuthProvider({ user, refreshThisTab, isSigningIn, children }: AuthProviderProps) {
  const [runningOperations, setRunningOperations] = useState(0)
  const { error, showError, clearError } = useTemporaryError()
  const refresh = useRefreshOfAllTabs(refreshThisTab)
  const isBusy = isSigningIn || runningOperations > 0

  const trackOperation = useCallback(
    async (operation: Promise<OperationResult>) => {
      clearError()
      setRunningOperations((count) => count + 1)
      try {
        const result = await operation
        if (result.success) {
          await refresh()
        } else {
          showError(result.error)
        }

        return result
      } finally {
        setRunningOperations((count) => count - 1)
      }
    },
    [refresh, clearError, showError],
  )

  const state = useMemo(
    () => ({
      user: user ?? null,
      isSessionKnown: user !== undefined,
      isBusy,
      error,
      clearError,
      trackOperation,
      refresh,
    }),
    [user, isBusy, error, clearError, trackOperation, refresh],
  )

  return <AuthContext value={state}>{children}</AuthContext>
}

/** Returns whether a form that registers or signs in is being sent. */
export function useIsSigningIn(): boolean {
  return useFetchers().some(({ formAction }) => signInFormAction.test(formAction ?? ''))
}

/** Matches the URLs to which the forms of /Login and /SignUp are sent. */
const signInFormAction = /^\/(Login|SignUp)(\?|$)/i

/** Returns a function that reads the session again in all tabs. */
function useRefreshOfAllTabs(refreshThisTab: () => Promise<void>) {
  const otherTabs = useRef<BroadcastChannel | null>(null)
  useEffect(() => {
    const channel = new BroadcastChannel('learnify-session')
    channel.onmessage = () => void refreshThisTab()
    otherTabs.current = channel

    return () => {
      // A closed channel would throw an error if a refresh ended later.
      otherTabs.current = null
      channel.close()
    }
  }, [refreshThisTab])

  return useCallback(async () => {
    await refreshThisTab()
    // Other tabs react to any message. Its text has no meaning.
    otherTabs.current?.postMessage('changed')
  }, [refreshThisTab])
}

/** An error message that disappears after some seconds. */
function useTemporaryError() {
  const [error, setError] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const clearError = useCallback(() => {
    clearTimeout(timer.current)
    setError(null)
  }, [])
  const showError = useCallback((message: string) => {
    clearTimeout(timer.current)
    setError(message)
    timer.current = setTimeout(() => setError(null), errorDurationMs)
  }, [])

  useEffect(() => () => clearTimeout(timer.current), [])

  return { error, showError, clearError }
}
