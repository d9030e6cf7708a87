import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { accountErrorMessage } from '../account-errors'
import type { OperationResult } from '../session/auth-provider'
import { wayTexts } from '../ways/way-messages'

const notLoaded: OperationResult = {
  success: false,
  error: accountErrorMessage('network-request-failed'),
}

/** Makes a passkey for the account, which only scripts can. */
export function AddPasskey({ onAdded }: { onAdded(): Promise<void> }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  async function add() {
    setBusy(true)
    setProblem(null)
    const result = await import('./passkey-ceremony').then(
      (ceremony) => ceremony.addPasskey(),
      () => notLoaded,
    )
    if (result.success) {
      await onAdded()
    } else {
      setProblem(result.error)
    }

    setBusy(false)
  }

  return (
    <div className="grid justify-items-start gap-4">
      <Button className="noscript:hidden" disabled={busy} onClick={add}>
        <KeyRound aria-hidden="true" size={18} /> {busy ? 'Adding...' : 'Add a passkey'}
      </Button>
      <noscript>
        <p>{wayTexts.noScripts}</p>
      </noscript>
      {problem && <Notice variant="bad">{problem}</Notice>}
    </div>
  )
}
