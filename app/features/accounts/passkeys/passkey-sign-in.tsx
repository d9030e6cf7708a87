import { KeyRound } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '~/ui/button'
import { accountErrorMessage } from '../account-errors'
import { type OperationResult, useAuth } from '../session/auth-provider'

const loadCeremony = () => import('./passkey-ceremony')

/** The result if the code for passkeys can't be loaded. */
const notLoadedResult: OperationResult = {
  success: false,
  error: accountErrorMessage('network-request-failed'),
}

/**
 * A button that signs in with a passkey. Without scripts, it is hidden.
 *
 * @param onSignedIn is called when the learner is signed in
 */
export function PasskeyButton({ onSignedIn }: { onSignedIn(): unknown }) {
  const { trackOperation } = useAuth()
  async function signIn() {
    const result = await trackOperation(
      loadCeremony().then(
        (ceremony) => ceremony.signInByPasskey(),
        () => notLoadedResult,
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
 * @param onSignedIn is called when the learner has chosen a passkey and is signed in
 * @returns a function to call when the field gets the focus
 */
export function usePasskeysInField(onSignedIn: () => unknown): () => void {
  const { trackOperation } = useAuth()
  const isOffering = useRef(false)
  useEffect(
    () => () => {
      if (isOffering.current) {
        void loadCeremony().then((ceremony) => ceremony.stopOffering())
      }
    },
    [],
  )

  async function offerPasskeys() {
    if (isOffering.current || !(await canOfferPasskeys())) {
      return
    }

    isOffering.current = true
    const ceremony = await loadCeremony().catch(() => null)
    const signIn = await ceremony?.offerPasskeysInField()
    if (!signIn) {
      return
    }

    const result = await trackOperation(signIn())
    if (result.success) {
      onSignedIn()
    }
  }

  return () => void offerPasskeys()
}

/** Returns whether the browser can offer passkeys among the suggestions of a field. */
async function canOfferPasskeys(): Promise<boolean> {
  const { PublicKeyCredential } = globalThis
  const isAvailable = await PublicKeyCredential?.isConditionalMediationAvailable?.().catch(
    () => false,
  )

  return isAvailable ?? false
}
