import { Badge } from '~/features/desk/desk-parts'
import type { ImportsPageData } from '~/features/desk/import/import-pages.server'

type Imports = ImportsPageData

type Row = Imports['rows'][number]

const states: Record<Row['state'], { text: string; look: 'good' | 'warn' | 'bad' | 'plain' }> = {
  checking: { text: 'Being checked', look: 'plain' },
  refused: { text: 'Not a table of people', look: 'bad' },
  checked: { text: 'Waiting for you', look: 'warn' },
  running: { text: 'Being imported', look: 'plain' },
  stopped: { text: 'Stopped', look: 'warn' },
  done: { text: 'Done', look: 'good' },
}

export function ImportBadge({ state }: Pick<Row, 'state'>) {
  return <Badge look={states[state].look}>{states[state].text}</Badge>
}
