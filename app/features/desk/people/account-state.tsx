import { Badge } from '~/features/desk/desk-parts'

export function AccountState({ confirmed, disabled }: { confirmed: boolean; disabled: boolean }) {
  if (disabled) {
    return <Badge variant="bad">Disabled</Badge>
  }

  return confirmed ? (
    <Badge variant="good">Confirmed</Badge>
  ) : (
    <Badge variant="warn">Not confirmed</Badge>
  )
}
