import { Printer } from 'lucide-react'
import { Button } from '~/ui/button'

export function PrintButton() {
  return (
    <Button look="secondary" onClick={() => window.print()}>
      <Printer aria-hidden="true" size={18} /> Print
    </Button>
  )
}
