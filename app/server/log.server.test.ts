import { expect, it } from 'vitest'
import { withoutValues } from './log.server'

it('logs a failed statement without the values in it', () => {
  const cause = Object.assign(new Error('duplicate key value'), {
    code: '23505',
    detail: 'Key (email)=(ada@example.com)',
  })
  const error = Object.assign(
    new Error('Failed query: insert into users values ($1)\nparams: ada@example.com', { cause }),
    {
      params: ['ada@example.com'],
    },
  )
  const logged = JSON.stringify(withoutValues(error))
  expect(logged).not.toContain('ada@example.com')
  expect(logged).toContain('insert into users')
  expect(logged).toContain('23505')
})

it('keeps where it happened', () => {
  expect(JSON.stringify(withoutValues(new Error('x')))).toContain('log.server.test.ts')
})
