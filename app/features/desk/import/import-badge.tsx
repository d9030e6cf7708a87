import { Badge, type BadgeVariant } from '../desk-parts'
import type { ImportState } from './import-queries.server'

const badges: Record<ImportState, { text: string; variant: BadgeVariant }> = {
  checking: { text: 'Being checked', variant: 'plain' },
  unclear: { text: 'Choose the columns', variant: 'warn' },
  refused: { text: 'Not a table of people', variant: 'bad' },
  checked: { text: 'Waiting for you', variant: 'warn' },
  running: { text: 'Being imported', variant: 'plain' },
  stopped: { text: 'Stopped', variant: 'warn' },
  done: { text: 'Done', variant: 'good' },
}

export function ImportBadge({ state }: { state: ImportState }) {
  const { text, variant } = badges[state]
  return <Badge variant={variant}>{text}</Badge>
}
