import { Badge } from '~/features/desk/desk-parts'

export function AccountState({ confirmed, disabled }: { confirmed: boolean; disabled: boolean }) {
  if (disabled) {
    return <Badge look="bad">Disabled</Badge>
  }

  return confirmed ? <Badge look="good">Confirmed</Badge> : <Badge look="warn">Not confirmed</Badge>
}
