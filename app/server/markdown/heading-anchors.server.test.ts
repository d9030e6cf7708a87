import { expect, it } from 'vitest'
import { listHeadingAnchors } from './heading-anchors.server'

it('no two headings have the same anchor', () => {
  expect(listHeadingAnchors('## Setup\n\n## Setup\n\n## Setup 2\n\n## Setup')).toEqual([
    'setup',
    'setup-2',
    'setup-2-2',
    'setup-3',
  ])
})
