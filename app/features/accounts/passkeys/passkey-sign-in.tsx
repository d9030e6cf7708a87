import { KeyRound } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '~/ui/button'
import { accountErrorMessage } from '../account-errors'
import { type OperationResult, useAuth } from '../session/auth-provider'

const loadCeremony = () => import('./passkey-ceremony')
const notLoaded: OperationResult = {
  success: false,
  error: accountErrorMessage('network-request-failed'),
}

/**
 * Signs in with a passkey. Only scripts can ask for one.
 *
 * @param onSignedIn called when the learner is signed in.
 */
export function PasskeyButton({ onSignedIn }: { onSignedIn(): unknown }) {
  const { perform } = useAuth()
  async function signIn() {
    const result = await perform(
      loadCeremony().then(
        (ceremony) => ceremony.signInByPasskey(),
        () => notLoaded,
      ),
    )

    if (result.success) {
      onSignedIn()
    }
  }

  return (
    <Button variant="secondary" className="min-h-12 w-full noscript:hidden" onClick={signIn}>
      <KeyRound aria-hidden="true" size={20} /> Use a passkey
    </Button>
  )
}

/**
 * Offers passkeys among the browser's suggestions of a field with `autoComplete="username
 * webauthn"`.
 *
 * @param onSignedIn called when the learner has chosen one and is signed in.
 * @returns to be called when the field gets the focus.
 */
export function usePasskeysInField(onSignedIn: () => unknown): () => void {
  const { perform } = useAuth()
  const isOffering = useRef(false)
  useEffect(
    () => () => {
      if (isOffering.current) {
        void loadCeremony().then((ceremony) => ceremony.stopOffering())
      }
    },
    [],
  )

  async function offer() {
    if (isOffering.current || !(await isSupported())) {
      return
    }

    isOffering.current = true
    const ceremony = await loadCeremony().catch(() => null)
    const signIn = await ceremony?.offerPasskeysInField()
    if (signIn && (await perform(signIn())).success) {
      onSignedIn()
    }
  }

  return () => void offer()
}

async function isSupported(): Promise<boolean> {
  return Boolean(
    await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.().catch(() => false),
  )
}
