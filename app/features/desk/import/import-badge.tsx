import { Badge, type BadgeVariant } from '../desk-parts'
import type { ImportStatus } from './import-queries.server'

const badges: Record<ImportStatus, { text: string; variant: BadgeVariant }> = {
  checking: { text: 'Being checked', variant: 'plain' },
  unclear: { text: 'Choose the columns', variant: 'warn' },
  refused: { text: 'Not a table of people', variant: 'bad' },
  checked: { text: 'Waiting for you', variant: 'warn' },
  running: { text: 'Being imported', variant: 'plain' },
  stopped: { text: 'Stopped', variant: 'warn' },
  done: { text: 'Done', variant: 'good' },
}

export function ImportBadge({ status }: { status: ImportStatus }) {
  const { text, variant } = badges[status]
  return <Badge variant={variant}>{text}</Badge>
}
