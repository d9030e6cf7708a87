import { afterEach, expect, it, vi } from 'vitest'
import { post } from './delivery'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('what the server could not store is replaced, so that it holds up nothing that follows', async () => {
  const fetched = vi.fn(async (_address: string, _request: RequestInit) => Response.json({}))
  vi.stubGlobal('fetch', fetched)
  const { outcome } = await post('/ExamAnswers', {
    value: 'a\ud83d b\0 😀 \\ud800',
    fields: [['answer', '\ude00']],
  })
  expect(outcome).toBe('delivered')
  const body = String(fetched.mock.calls[0]?.[1].body)
  expect(JSON.parse(body)).toEqual({
    value: 'a\ufffd b\ufffd 😀 \\ud800',
    fields: [['answer', '\ufffd']],
  })
})
