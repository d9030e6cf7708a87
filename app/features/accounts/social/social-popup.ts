import { accountErrorMessage } from '../account-errors'
import type { OperationResult } from '../session/auth-provider'

type Ending = { type: 'learnify-sign-in'; nonce: string; code: string | null }
type Attempt = { popup: Window; finish(result: OperationResult): void }

const lookEveryMs = 300
/** A message of a popup that just closed may still be on its way. */
const graceMs = 600

/** The service expires an attempt after this time. */
const attemptLastsMs = 10 * 60_000

let underWay: Attempt | null = null

/**
 * Signs in by a popup. Has to be called in the click itself, or browsers block the popup; then the
 * whole page goes instead.
 *
 * @param onLate told when a popup that seemed closed did sign in: a provider's page can cut its
 * ties to this one.
 * @param more of the address: where a whole page leads to, and whether it only confirms who is
 * signed in.
 * @returns when the popup has ended: by success, by a message, because it was closed, or because a
 * second one was started.
 */
export async function signInByPopup(
  provider: string,
  onLate: () => void,
  more: { from: string; confirm?: string },
): Promise<OperationResult> {
  const nonce = crypto.randomUUID()
  const { from: _, ...ofPopup } = more
  const address = `/account/social/${provider}?${new URLSearchParams({ ...ofPopup, popup: nonce })}`
  const popup = window.open(address, `sign-in-${nonce}`, popupFeatures())
  underWay?.finish(failed('cancelled-popup-request'))
  if (!popup) {
    window.location.assign(`/account/social/${provider}?${new URLSearchParams(more)}`)
    return new Promise(() => {})
  }

  return new Promise((resolve) => {
    let seemsClosed = false
    const stop = listen(nonce, popup, (result, final) => {
      if (underWay?.popup === popup) {
        underWay = null
      }

      if (final) {
        stop()
      }

      if (seemsClosed && result.success) {
        onLate()
      }

      seemsClosed = !final
      resolve(result)
    })

    setTimeout(stop, attemptLastsMs)
    underWay = {
      popup,
      finish(result) {
        stop()
        popup.close()
        resolve(result)
      },
    }
  })
}

function failed(code: string): OperationResult {
  return { success: false, error: accountErrorMessage(code) }
}

/**
 * Calls `tell` with the popup's message (final), or once, not finally, when the popup seems to be
 * closed.
 */
function listen(
  nonce: string,
  popup: Window,
  tell: (result: OperationResult, final: boolean) => void,
): () => void {
  const channel = new BroadcastChannel('learnify-sign-in')
  const hear = (data: unknown) => {
    const ending = data as Ending | null
    if (ending?.type !== 'learnify-sign-in' || ending.nonce !== nonce) {
      return
    }

    if (ending.code === 'second-step') {
      tell({ success: true, secondStep: true }, true)
    } else {
      tell(ending.code ? failed(ending.code) : { success: true }, true)
    }
  }
  const hearWindow = (event: MessageEvent) => {
    if (event.origin === window.location.origin) {
      hear(event.data)
    }
  }

  channel.onmessage = (event) => hear(event.data)
  window.addEventListener('message', hearWindow)

  let closing: ReturnType<typeof setTimeout> | undefined
  const look = setInterval(() => {
    if (!popup.closed) {
      return
    }

    clearInterval(look)
    closing = setTimeout(() => tell(failed('popup-closed-by-user'), false), graceMs)
  }, lookEveryMs)

  return () => {
    clearInterval(look)
    clearTimeout(closing)
    channel.close()
    window.removeEventListener('message', hearWindow)
  }
}

function popupFeatures(): string {
  const width = 480
  const height = 680
  const left = Math.max(0, window.screenX + (window.outerWidth - width) / 2)
  const top = Math.max(0, window.screenY + (window.outerHeight - height) / 3)

  return `popup,width=${width},height=${height},left=${Math.round(left)},top=${Math.round(top)}`
}
