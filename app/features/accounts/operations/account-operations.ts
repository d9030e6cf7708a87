import { accountErrorMessage, logoutServiceFailure, unexpectedFailures } from '../account-errors'
import type { SessionUser } from '../session/session-user'
import { forgetSettingsDraft } from '../settings/settings-draft'
import type { Credentials } from '../sign-in/sign-in.server'
import type { Registration } from '../sign-up/registration.server'

/** The result of every operation of the account service. */
export type OperationResult = { success: true } | { success: false; error: string }

type UserChanges = Partial<
  Pick<SessionUser, 'firstName' | 'lastName' | 'phone' | 'location' | 'timezone' | 'lastLoginAt'>
>

type Answer = { success: boolean; code?: string; user?: SessionUser | null }
type Operation = keyof typeof unexpectedFailures

const send = async (path: string, method: string, body?: object): Promise<Answer> => {
  const response = await fetch(`/account${path}`, {
    method,
    headers: body && { 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  const answer: unknown = await response.json()
  if (typeof answer !== 'object' || answer === null || !('success' in answer)) throw new Error('not an answer')
  return answer as Answer
}

/** Never throws: a network failure and an unreadable answer are results, too. */
async function operate(operation: Operation, path: string, method: string, body?: object): Promise<OperationResult> {
  try {
    const answer = await send(path, method, body)
    if (answer.success) return { success: true }
    if (operation === 'logout') return { success: false, error: logoutServiceFailure }
    return { success: false, error: accountErrorMessage(answer.code) }
  } catch (error) {
    // `fetch` reports every network failure, and nothing else, as a TypeError.
    const offline = error instanceof TypeError
    return {
      success: false,
      error: offline ? accountErrorMessage('network-request-failed') : unexpectedFailures[operation],
    }
  }
}

export const register = (registration: Registration) => operate('register', '/register', 'POST', registration)
export const login = (credentials: Credentials) => operate('login', '/login', 'POST', credentials)
export const resetPassword = (email: string) => operate('resetPassword', '/forgot-password', 'POST', { email })

/** Removes unsaved settings, because other people may use this browser. */
export async function logout(): Promise<OperationResult> {
  const result = await operate('logout', '/logout', 'POST', {})
  if (result.success) await forgetSettingsDraft()
  return result
}

/** The learner's own document. @throws for the document of another account. */
export async function readUserDocument(uid: string): Promise<SessionUser> {
  const { user, code } = await send(`/users/${encodeURIComponent(uid)}`, 'GET')
  if (!user) throw new Error(accountErrorMessage(code))
  return user
}

type WholeDocument = Required<Omit<UserChanges, 'lastLoginAt'>>

export const writeUserDocument = (uid: string, document: WholeDocument) =>
  operate('userDocument', `/users/${encodeURIComponent(uid)}`, 'PUT', document)

export const updateUserDocument = (uid: string, changes: UserChanges) =>
  operate('userDocument', `/users/${encodeURIComponent(uid)}`, 'PATCH', changes)
