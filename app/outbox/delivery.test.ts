import { afterEach, expect, it, vi } from 'vitest'
import { postEntry } from './delivery'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('characters that the server cannot store are replaced, so that the entry is not refused', async () => {
  const fetchMock = vi.fn(async (_url: string, _init: RequestInit) => Response.json({}))
  vi.stubGlobal('fetch', fetchMock)

  const { outcome } = await postEntry('/ExamAnswers', {
    value: 'a\ud83d b\0 😀 \\ud800',
    fields: [['answer', '\ude00']],
  })

  expect(outcome).toBe('delivered')

  const sentJson = String(fetchMock.mock.calls[0]?.[1].body)
  expect(JSON.parse(sentJson)).toEqual({
    value: 'a\ufffd b\ufffd 😀 \\ud800',
    fields: [['answer', '\ufffd']],
  })
})
