import { describe, expect, it } from 'vitest'
import { createConnectionError, requireUtf8Encoding } from './connection-error.server'

const url = 'postgres://ada:p%40ss@db.school.example:5432/learn-ify'
const refusal = (code: string, message = 'reason') =>
  createConnectionError(Object.assign(new Error(message), { code }), url)

describe('a database that can’t be used', () => {
  it.each([
    ['ECONNREFUSED', 'see whether PostgreSQL, or the pooler, is running at this address.'],
    ['ENOTFOUND', 'There’s no such host: check the address.'],
    ['28P01', 'Check the user and the password in the address.'],
    ['3D000', 'Create it: createdb --owner ada --template template0 --encoding UTF8 learn-ify'],
    ['42501', 'The user must own the database: alter database "learn-ify" owner to "ada"'],
  ])('for %s is told with what to do', (code, advice) => {
    const { message, name } = refusal(code)

    expect(name).toBe('StartError')
    expect(message).toContain(
      'The database db.school.example:5432/learn-ify can’t be used: reason. ',
    )
    expect(message.endsWith(advice)).toBe(true)
    expect(message).not.toContain('p%40ss')
  })

  it('is described by the first cause, or by its code if it has no message', () => {
    const cause = Object.assign(new Error(''), { code: 'ECONNRESET' })
    expect(createConnectionError(new Error('Failed query', { cause }), url).message).toBe(
      'The database db.school.example:5432/learn-ify can’t be used: ECONNRESET.',
    )
  })

  it.each([
    ['3D000', 'Create it: createdb --template template0 --encoding UTF8 learnify'],
    ['42501', 'The user must own the database.'],
  ])('whose address names no user is told for %s without one', (code, advice) => {
    const error = Object.assign(new Error('reason'), { code })

    expect(createConnectionError(error, 'postgres://localhost/learnify').message).toContain(
      `: reason. ${advice}`,
    )
    expect(createConnectionError(error, 'postgres://localhost/learnify').message).not.toContain(
      'owner to',
    )
  })

  it('can be a database with another encoding', () => {
    expect(() => requireUtf8Encoding('UTF8', url)).not.toThrow()
    expect(() => requireUtf8Encoding('SQL_ASCII', url)).toThrow(
      /has the encoding SQL_ASCII. Learnify needs UTF8/,
    )
  })
})
