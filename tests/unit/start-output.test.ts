import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { printSentence, reportProgress } from '../../scripts/start-output.mjs'

const { isTTY } = process.stderr
let printed: string[]

beforeEach(() => {
  printed = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.push(String(text))
    return true
  })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] })
})
afterEach(() => {
  process.stderr.isTTY = isTTY
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('a task says every five seconds on a terminal, in a readable line, that it still runs', () => {
  process.stderr.isTTY = true
  const stopProgress = reportProgress('Installing packages', printSentence)

  vi.advanceTimersByTime(16_000)
  stopProgress()
  vi.advanceTimersByTime(60_000)

  expect(printed).toEqual([
    'Installing packages: 5 seconds so far.\n',
    'Installing packages: 10 seconds so far.\n',
    'Installing packages: 15 seconds so far.\n',
  ])
})

it('a task says the same in lines of JSON without a terminal', () => {
  process.stderr.isTTY = false
  const stopProgress = reportProgress('Building', printSentence)
  vi.advanceTimersByTime(5_000)
  stopProgress()

  expect(printed.map((line) => JSON.parse(line))).toEqual([
    { level: 30, time: Date.now(), msg: 'Building: 5 seconds so far.' },
  ])
})
