import { expect, it } from 'vitest'
import { toLoggedPath } from '../http/logged-path.server'
import { toLoggableError } from './loggable-error.server'

const logged = (error: unknown) => JSON.stringify(toLoggableError(error))

it('logs a failed statement without the values in it', () => {
  const cause = Object.assign(
    new Error('duplicate key value violates unique constraint "users_email_unique"'),
    {
      code: '23505',
      constraint: 'users_email_unique',
      detail: 'Key (email)=(ada@example.com)',
    },
  )
  const error = Object.assign(
    new Error('Failed query: insert into users values ($1)\nparams: ada@example.com,Ada Lovelace', {
      cause,
    }),
    { query: 'insert into users values ($1)', params: ['ada@example.com', 'Ada Lovelace'] },
  )

  expect(logged(error)).not.toMatch(/ada/i)
  expect(logged(error)).toContain('insert into users')
  expect(logged(error)).toContain('23505')
  expect(logged(error)).toContain('users_email_unique')
})

it.each([
  [
    'a value in quotation marks',
    'invalid input syntax for type uuid: "Ada Lovelace"',
    'invalid input syntax',
  ],
  ['an address', 'No recipients: ada@example.com refused', 'refused'],
  [
    'the query of an address',
    'Failed to parse https://learn.example/ResetPassword?token=s3cret',
    'Failed to parse',
  ],
  ['a long identifier', 'no such user: Kd82hs02Lsm29Xk', 'no such user'],
])('keeps %s out of a message', (_what, message, kept) => {
  expect(logged(new Error(message))).toContain(kept)
  expect(logged(new Error(message))).not.toMatch(/Lovelace|ada@|s3cret|Kd82hs02Lsm29Xk/)
})

it('leaves out a message that a trigger of the database wrote', () => {
  expect(
    logged(Object.assign(new Error('no room for Ada Lovelace'), { code: 'P0001' })),
  ).not.toContain('Ada')
})

it('keeps the stack, and the errors in an AggregateError', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

  expect(logged(new AggregateError([refused]))).toContain('ECONNREFUSED')
  expect(logged(new Error('x'))).toContain('loggable-error.server.test.ts')
})

it('logs a path without IDs', () => {
  expect(toLoggedPath('/account/users/Kd82hs02Lsm29Xk')).toBe('/account/users/*')
  expect(toLoggedPath('/Certificate/LF-2026-ABCD/certificate.pdf')).toBe(
    '/Certificate/*/certificate.pdf',
  )
  expect(toLoggedPath('/Login.data')).toBe('/Login.data')
  expect(toLoggedPath('/ada@example.com')).toBe('/*')
})
