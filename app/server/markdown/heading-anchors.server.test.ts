import MarkdownIt from 'markdown-it'
import { expect, it } from 'vitest'
import { getHeadingAnchors, listHeadingAnchors } from './heading-anchors.server'

it('no two headings have the same anchor', () => {
  expect(listHeadingAnchors('## Setup\n\n## Setup\n\n## Setup 2\n\n## Setup')).toEqual([
    'setup',
    'setup-2',
    'setup-2-2',
    'setup-3',
  ])
})

// Trying all numbers again for each heading took minutes.
it('a heading that is repeated 30,000 times gets its anchors without delay', () => {
  const headings = new MarkdownIt().parse('## Setup\n'.repeat(30_000), {})
  const anchors = [...getHeadingAnchors(headings).values()]

  expect(anchors.at(-1)).toBe('setup-30000')
})
