import { Badge } from '../desk-parts'
import type { PersonPageData } from './person-page.server'

type AccountBadgeProps = Pick<PersonPageData['person'], 'isConfirmed' | 'isDisabled'>

export function AccountBadge({ isConfirmed, isDisabled }: AccountBadgeProps) {
  if (isDisabled) {
    return <Badge variant="bad">Disabled</Badge>
  }

  return isConfirmed ? (
    <Badge variant="good">Confirmed</Badge>
  ) : (
    <Badge variant="warn">Not confirmed</Badge>
  )
}
