/**
 * The browser's side of passkeys. This module is loaded when a passkey is offered or used, because
 * nobody else needs it.
 */
import {
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { accountErrorMessage } from '../account-errors'
import type { OperationResult } from '../session/auth-provider'

/** Asks the browser for a passkey, and signs in with it. */
export function signInByPasskey(): Promise<OperationResult> {
  return toResult(async () => {
    const optionsJSON = await post('/account/passkey-offer')
    const response = await startAuthentication({ optionsJSON })
    await post('/account/passkey-sign-in', { response })
  })
}

/**
 * Offers the browser's passkeys among the suggestions of the email field, until the learner chooses
 * one, presses the button or leaves the page.
 *
 * @returns a function that signs in with the chosen passkey, or null if none was chosen
 */
export async function offerPasskeysInField(): Promise<(() => Promise<OperationResult>) | null> {
  try {
    const optionsJSON = await post('/account/passkey-offer')
    const response = await startAuthentication({ optionsJSON, useBrowserAutofill: true })
    return () => toResult(() => post('/account/passkey-sign-in', { response }))
  } catch {
    // The browser does not support this, or the learner signs in by another method.
    return null
  }
}

/** Ends `offerPasskeysInField`, for example when the learner leaves the page. */
export function stopOffering(): void {
  WebAuthnAbortService.cancelCeremony()
}

/** Creates a passkey and adds it to the signed-in account. */
export function addPasskey(): Promise<OperationResult> {
  return toResult(async () => {
    const optionsJSON = await post('/account/new-passkey')
    const response = await startRegistration({ optionsJSON })
    await post('/account/passkey', { response })
  })
}

/** An error code of the account service. It never leaves this module. */
class ServiceError extends Error {}

async function post(path: string, body: object = {}) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { success, code, options } = await response.json()
  if (!success) {
    throw new ServiceError(code)
  }

  return options
}

async function toResult(operation: () => Promise<unknown>): Promise<OperationResult> {
  try {
    await operation()
    return { success: true }
  } catch (error) {
    return { success: false, error: accountErrorMessage(getErrorCode(error)) }
  }
}

function getErrorCode(error: unknown): string {
  if (error instanceof ServiceError) {
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
