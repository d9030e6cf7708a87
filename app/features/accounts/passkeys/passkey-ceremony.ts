import {
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { accountErrorMessage } from '../account-errors'
import type { OperationResult } from '../session/auth-provider'

/* Loaded when a passkey is used or offered: no other visitor needs it. */

/** Asks the browser for a passkey, and signs in with it. */
export function signInByPasskey(): Promise<OperationResult> {
  return inWords(async () => {
    const optionsJSON = await post('/account/passkey-offer')
    const response = await startAuthentication({ optionsJSON })
    await post('/account/passkey-sign-in', { response })
  })
}

/**
 * Offers the browser's passkeys among the suggestions of the email field, until one is chosen, the
 * button is pressed or the page is left.
 *
 * @returns signs in with the one that was chosen; null if there is none.
 */
export async function offerPasskeysInField(): Promise<(() => Promise<OperationResult>) | null> {
  try {
    const optionsJSON = await post('/account/passkey-offer')
    const response = await startAuthentication({ optionsJSON, useBrowserAutofill: true })
    return () => inWords(() => post('/account/passkey-sign-in', { response }))
  } catch {
    // The browser can't, or the learner signs in another way.
    return null
  }
}

export function stopOffering(): void {
  WebAuthnAbortService.cancelCeremony()
}

/** Makes a passkey and adds it to the signed-in account. */
export function addPasskey(): Promise<OperationResult> {
  return inWords(async () => {
    const optionsJSON = await post('/account/new-passkey')
    const response = await startRegistration({ optionsJSON })
    await post('/account/passkey', { response })
  })
}

class Refusal extends Error {}

async function post(address: string, body: object = {}) {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { success, code, options } = await answer.json()
  if (!success) {
    throw new Refusal(code)
  }

  return options
}

async function inWords(work: () => Promise<unknown>): Promise<OperationResult> {
  try {
    await work()
    return { success: true }
  } catch (error) {
    return { success: false, error: accountErrorMessage(codeOf(error)) }
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Refusal) {
    return error.message
  }

  if (
    error instanceof WebAuthnError &&
    error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
  ) {
    return 'passkey-exists'
  }

  if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) {
    return 'passkey-canceled'
  }

  return error instanceof TypeError ? 'network-request-failed' : 'passkey-failed'
}
