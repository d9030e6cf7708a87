/**
 * Signs in by a popup that shows the provider's page.
 *
 * The last page of the popup reports the result to this page (`social-sign-in.server.ts`). Only one
 * popup is open at a time.
 */
import { accountErrorMessage } from '../account-errors'
import type { OperationResult } from '../session/auth-provider'

/** The URL parameters of a sign-in. */
export type SignInParameters = {
  /** The path of the page that follows a sign-in by redirects. */
  from: string
  /** Says that the sign-in only confirms who is signed in. */
  confirm?: 'yes'
}

type PopupMessage = {
  type: 'learnify-sign-in'
  /** Identifies the attempt that has ended. */
  nonce: string
  /** The error code, or null if the learner is signed in. */
  code: string | null
}

type Attempt = { popup: Window; finish(result: OperationResult): void }

const pollIntervalMs = 300

/** How long to wait for the message of a popup that has just closed. */
const messageTimeoutMs = 600

/** The time after which an attempt expires on the server. */
const attemptLifetimeMs = 10 * 60_000

let currentAttempt: Attempt | null = null

/**
 * Signs in by a popup. It has to be called in the click's own event handler, because browsers block
 * other popups. If the popup is blocked, the whole page goes to the provider.
 *
 * @param onLateSignIn is called if a popup that seemed closed signs in after all. A provider's page
 *   can cut the popup off this page, which then looks as if it was closed.
 * @returns a promise that resolves when the popup ends: by success, by an error, because it was
 *   closed, or because another one was opened
 */
export async function signInByPopup(
  provider: string,
  onLateSignIn: () => void,
  signInParameters: SignInParameters,
): Promise<OperationResult> {
  const nonce = crypto.randomUUID()
  // A popup does not need `from`, because this page stays open.
  const { from: _, ...popupParameters } = signInParameters
  const url = `/account/social/${provider}?${new URLSearchParams({ ...popupParameters, popup: nonce })}`
  const popup = window.open(url, `sign-in-${nonce}`, getPopupFeatures())
  currentAttempt?.finish(failedResult('cancelled-popup-request'))
  if (!popup) {
    window.location.assign(`/account/social/${provider}?${new URLSearchParams(signInParameters)}`)
    return new Promise(() => {})
  }

  return new Promise((resolve) => {
    let isSeeminglyClosed = false
    const stopListening = listenToPopup(nonce, popup, {
      onResult(result) {
        endAttempt(popup)
        stopListening()
        if (isSeeminglyClosed && result.success) {
          onLateSignIn()
        }

        resolve(result)
      },
      onSeeminglyClosed() {
        endAttempt(popup)
        isSeeminglyClosed = true
        resolve(failedResult('popup-closed-by-user'))
      },
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

function endAttempt(popup: Window): void {
  if (currentAttempt?.popup === popup) {
    currentAttempt = null
  }
}

function failedResult(code: string): OperationResult {
  return { success: false, error: accountErrorMessage(code) }
}

type PopupListeners = {
  /** Is called with the result in the popup's message. */
  onResult(result: OperationResult): void
  /** Is called once when the popup looks as if it was closed. The result may still come. */
  onSeeminglyClosed(): void
}

/** @returns a function that stops listening */
function listenToPopup(
  nonce: string,
  popup: Window,
  { onResult, onSeeminglyClosed }: PopupListeners,
): () => void {
  const channel = new BroadcastChannel('learnify-sign-in')
  const handleMessage = (data: unknown) => {
    const message = data as PopupMessage | null
    if (message?.type !== 'learnify-sign-in' || message.nonce !== nonce) {
      return
    }

    if (message.code === 'second-step') {
      onResult({ success: true, needsSecondStep: true })
    } else {
      onResult(message.code ? failedResult(message.code) : { success: true })
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
    closedTimer = setTimeout(onSeeminglyClosed, messageTimeoutMs)
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
