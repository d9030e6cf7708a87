import { expect, it } from 'vitest'
import { milestoneText } from './milestone-text'

it.each([
  ['streak:7:2026-11-20', 'Studied 7 days in a row'],
  ['achievement:bookworm', 'Earned the achievement Bookworm'],
  ['goal:bookworm:100', '100 lessons finished'],
  ['goal:first-certificate:3', '3 certificates earned'],
])('%s is told as “%s”, whatever was stored', (id, text) => {
  expect(milestoneText(id)).toBe(text)
})

it.each(['lesson:python:names', 'achievement:gone', 'goal:gone:3', ''])('“%s” keeps the sentence of its time', (id) => {
  expect(milestoneText(id)).toBeNull()
})
