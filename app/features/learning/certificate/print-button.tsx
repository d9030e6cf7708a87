import { Printer } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '~/ui/button'

/** Only there once it can do something. */
export function PrintButton() {
  const [ready, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  return (
    <Button look="secondary" disabled={!ready} onClick={() => window.print()}>
      <Printer aria-hidden="true" size={18} /> Print
    </Button>
  )
}
