import { accountErrorMessage } from '../account-errors'
import type { OperationResult } from '../session/auth-provider'

/** The popup's message: which attempt has ended, and the error code unless it signed in. */
type PopupMessage = { type: 'learnify-sign-in'; nonce: string; code: string | null }
type Attempt = { popup: Window; finish(result: OperationResult): void }

const pollIntervalMs = 300

/** How long to wait for the message of a popup that has just closed. */
const messageTimeoutMs = 600

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
  const popup = window.open(url, `sign-in-${nonce}`, getPopupFeatures())
  currentAttempt?.finish(failedResult('cancelled-popup-request'))
  if (!popup) {
    window.location.assign(`/account/social/${provider}?${new URLSearchParams(query)}`)
    return new Promise(() => {})
  }

  return new Promise((resolve) => {
    let isSeeminglyClosed = false
    const stopListening = listenToPopup(nonce, popup, (result, isFinal) => {
      if (currentAttempt?.popup === popup) {
        currentAttempt = null
      }

      if (isFinal) {
        stopListening()
      }

      if (isSeeminglyClosed && result.success) {
        onLateSignIn()
      }

      isSeeminglyClosed = !isFinal
      resolve(result)
    })

    setTimeout(stopListening, attemptLifetimeMs)
    currentAttempt = {
      popup,
      finish(result) {
        stopListening()
        popup.close()
        resolve(result)
      },
    }
  })
}

function failedResult(code: string): OperationResult {
  return { success: false, error: accountErrorMessage(code) }
}

/**
 * Calls `onResult` with the popup's message, which is final, or once when the popup seems to be
 * closed, which is not.
 *
 * @returns a function that stops listening
 */
function listenToPopup(
  nonce: string,
  popup: Window,
  onResult: (result: OperationResult, isFinal: boolean) => void,
): () => void {
  const channel = new BroadcastChannel('learnify-sign-in')
  const handleMessage = (data: unknown) => {
    const message = data as PopupMessage | null
    if (message?.type !== 'learnify-sign-in' || message.nonce !== nonce) {
      return
    }

    if (message.code === 'second-step') {
      onResult({ success: true, secondStep: true }, true)
    } else {
      onResult(message.code ? failedResult(message.code) : { success: true }, true)
    }
  }
  const handleWindowMessage = (event: MessageEvent) => {
    if (event.origin === window.location.origin) {
      handleMessage(event.data)
    }
  }

  channel.onmessage = (event) => handleMessage(event.data)
  window.addEventListener('message', handleWindowMessage)

  let closedTimer: ReturnType<typeof setTimeout> | undefined
  const poll = setInterval(() => {
    if (!popup.closed) {
      return
    }

    clearInterval(poll)
    closedTimer = setTimeout(
      () => onResult(failedResult('popup-closed-by-user'), false),
      messageTimeoutMs,
    )
  }, pollIntervalMs)

  return () => {
    clearInterval(poll)
    clearTimeout(closedTimer)
    channel.close()
    window.removeEventListener('message', handleWindowMessage)
  }
}

function getPopupFeatures(): string {
  const width = 480
  const height = 680
  const left = Math.max(0, window.screenX + (window.outerWidth - width) / 2)
  const top = Math.max(0, window.screenY + (window.outerHeight - height) / 3)

  return `popup,width=${width},height=${height},left=${Math.round(left)},top=${Math.round(top)}`
}
