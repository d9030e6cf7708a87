import { accountErrorMessage } from '../account-errors'
import type { OperationResult } from '../session/auth-provider'

type EndMessage = { type: 'learnify-sign-in'; nonce: string; code: string | null }
type Attempt = { popup: Window; finish(result: OperationResult): void }

const pollIntervalMs = 300

/** The message of a popup that has just closed may still be on its way. */
const graceMs = 600

/** The server expires an attempt after this time. */
const attemptLifetimeMs = 10 * 60_000

let currentAttempt: Attempt | null = null

/**
 * Signs in by a popup. It has to be called in the click's own event handler, because browsers block
 * other popups. If the popup is blocked, the whole page goes to the provider.
 *
 * @param onLateSignIn is called if a popup that seemed closed signs in after all. A provider's page
 *   can cut the popup off this page, which then looks as if it was closed.
 * @param query where a whole page leads to, and whether the sign-in only confirms who is signed in
 * @returns a promise that resolves when the popup ends: by success, by an error, because it was
 *   closed, or because another one was opened
 */
export async function signInByPopup(
  provider: string,
  onLateSignIn: () => void,
  query: { from: string; confirm?: string },
): Promise<OperationResult> {
  const nonce = crypto.randomUUID()
  const { from: _, ...popupQuery } = query
  const url = `/account/social/${provider}?${new URLSearchParams({ ...popupQuery, popup: nonce })}`
  const popup = window.open(url, `sign-in-${nonce}`, popupFeatures())
  currentAttempt?.finish(failure('cancelled-popup-request'))
  if (!popup) {
    window.location.assign(`/account/social/${provider}?${new URLSearchParams(query)}`)
    return new Promise(() => {})
  }

  return new Promise((resolve) => {
    let seemsClosed = false
    const stop = listen(nonce, popup, (result, isFinal) => {
      if (currentAttempt?.popup === popup) {
        currentAttempt = null
      }

      if (isFinal) {
        stop()
      }

      if (seemsClosed && result.success) {
        onLateSignIn()
      }

      seemsClosed = !isFinal
      resolve(result)
    })

    setTimeout(stop, attemptLifetimeMs)
    currentAttempt = {
      popup,
      finish(result) {
        stop()
        popup.close()
        resolve(result)
      },
    }
  })
}

function failure(code: string): OperationResult {
  return { success: false, error: accountErrorMessage(code) }
}

/**
 * Calls `onResult` with the popup's message, which is final, or once when the popup seems to be
 * closed, which is not.
 *
 * @returns a function that stops listening
 */
function listen(
  nonce: string,
  popup: Window,
  onResult: (result: OperationResult, isFinal: boolean) => void,
): () => void {
  const channel = new BroadcastChannel('learnify-sign-in')
  const receive = (data: unknown) => {
    const message = data as EndMessage | null
    if (message?.type !== 'learnify-sign-in' || message.nonce !== nonce) {
      return
    }

    if (message.code === 'second-step') {
      onResult({ success: true, secondStep: true }, true)
    } else {
      onResult(message.code ? failure(message.code) : { success: true }, true)
    }
  }
  const receiveWindowMessage = (event: MessageEvent) => {
    if (event.origin === window.location.origin) {
      receive(event.data)
    }
  }

  channel.onmessage = (event) => receive(event.data)
  window.addEventListener('message', receiveWindowMessage)

  let closedTimer: ReturnType<typeof setTimeout> | undefined
  const poll = setInterval(() => {
    if (!popup.closed) {
      return
    }

    clearInterval(poll)
    closedTimer = setTimeout(() => onResult(failure('popup-closed-by-user'), false), graceMs)
  }, pollIntervalMs)

  return () => {
    clearInterval(poll)
    clearTimeout(closedTimer)
    channel.close()
    window.removeEventListener('message', receiveWindowMessage)
  }
}

function popupFeatures(): string {
  const width = 480
  const height = 680
  const left = Math.max(0, window.screenX + (window.outerWidth - width) / 2)
  const top = Math.max(0, window.screenY + (window.outerHeight - height) / 3)

  return `popup,width=${width},height=${height},left=${Math.round(left)},top=${Math.round(top)}`
}
