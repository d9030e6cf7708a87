import { describe, expect, it } from 'vitest'
import { TestAccounts } from '../../../../tests/support/test-accounts'
import { checkNewPassword, loadCommonPasswords } from './new-password.server'
import { findWeakness } from './password-advice'

const { createClient, createPerson } = new TestAccounts()
const ada = { firstName: 'Ada', lastName: 'King-Noël', email: 'countess.1815@school.example' }

it('the list has 10,000 passwords that the rule allows, the most common first', async () => {
  const list = await loadCommonPasswords()

  expect(list.size).toBe(10_000)
  expect([...list].every(({ length }) => length >= 6)).toBe(true)
  expect([...list].slice(0, 3)).toEqual(['123456', 'password', '12345678'])
})

describe('a password is easy to guess', () => {
  it.each([
    ['123456', 'common'],
    ['PassWord', 'common'],
    ['ｐａｓｓｗｏｒｄ', 'common'],
    ['Ａｄａ１８１５', 'name'],
    ['Learnify2026', 'name'],
    ['ada-1815!', 'name'],
    ['KingNoël7', 'name'],
    ['king noël ada', 'name'],
    ['adaKingNoël99', 'name'],
    ['Countess#1', 'name'],
    ['Analytical-1843', null],
    ['ada writes notes', null],
    ['9f$K2-pq', null],
  ])('%s: %s', async (password, weakness) => {
    expect(findWeakness(password, ada, await loadCommonPasswords())).toBe(weakness)
  })

  it('not by a name of two letters, nor by one that isn’t known', async () => {
    expect(findWeakness('Li-2026-x', { firstName: 'Li' }, await loadCommonPasswords())).toBeNull()
    expect(findWeakness('20262026!', { firstName: '', lastName: '' }, new Set())).toBeNull()
  })
})

describe('a new password', () => {
  const refusal = (
    password: string,
    settings?: { minLength: number; shouldRefuseCommon: boolean },
  ) => checkNewPassword(password, ada, settings)

  it('may be common by default, and needs six characters', async () => {
    expect([await refusal('123456'), await refusal('12345')]).toEqual([null, 'weak-password'])
  })

  it('is refused as the settings say', async () => {
    const strict = { minLength: 8, shouldRefuseCommon: true }

    expect(await refusal('Zq7-x9w', strict)).toBe('weak-password')
    expect(await refusal('12345678', strict)).toBe('common-password')
    expect(await refusal('Ada-King 1815', strict)).toBeNull()
    expect(await refusal('Ada-1815', strict)).toBe('common-password')
  })

  it('of 200 characters signs in, whatever they are, and one more is refused', async () => {
    const person = { ...createPerson(), password: `🔑 é${'x'.repeat(195)}!` }

    expect(person.password).toHaveLength(200)
    expect((await createClient().send('POST', '/register', person)).status).toBe(200)

    const { email, password } = person

    expect((await createClient().send('POST', '/login', { email, password })).status).toBe(200)
    expect(
      (await createClient().send('POST', '/login', { email, password: password.slice(0, -1) }))
        .status,
    ).toBe(401)

    const longer = { ...createPerson(), password: `${password}xx` }

    expect((await createClient().send('POST', '/register', longer)).body.code).toBe(
      'invalid-request',
    )
  })
})
