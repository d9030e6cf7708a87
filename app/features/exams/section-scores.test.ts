import { expect, it } from 'vitest'
import { sectionScores } from './section-scores'

const asked = (section: string | null, verdict: 'right' | 'wrong' = 'right') => ({ section, verdict })

it('each section that was asked about has its score, in the order of the course', () => {
  expect(sectionScores([asked('B'), asked('A', 'wrong'), asked('A')], ['A', 'Never asked', 'B'])).toEqual([
    { title: 'A', right: 1, total: 2 },
    { title: 'B', right: 1, total: 1 },
  ])
})

it('there are none if a question belongs to no section, or all to one', () => {
  expect(sectionScores([asked('A'), asked('B'), asked(null)], ['A', 'B'])).toEqual([])
  expect(sectionScores([asked('A'), asked('A')], ['A', 'B'])).toEqual([])
})
