import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { rateLimits } from '~/server/database/schema/index'
import { RequestTrace, withTrace } from '~/server/http/request-trace.server'
import { AccountClient } from '../../../../tests/support/account-client'
import { publicUrl, TestAccounts } from '../../../../tests/support/test-accounts'
import { AttemptCounter } from '../attempt-limits.server'
import { hashPassword } from '../password/passwords.server'

const accounts = new TestAccounts()
const { createPerson, createClient, registerPerson, requestResetToken } = accounts

describe('wrong passwords', () => {
  it('are refused after five, the right one too, until the window is over', async () => {
    const { person } = await registerPerson()
    const attempt = (password: string) =>
      createClient().send('POST', '/login', { email: person.email, password })
    for (const count of [1, 2, 3, 4, 5]) {
      expect((await attempt(`wrong-${count}`)).body.code).toBe('wrong-password')
    }

    expect(await attempt(person.password)).toEqual({
      status: 429,
      body: { success: false, code: 'too-many-requests' },
    })

    accounts.now += 15 * 60_000

    expect((await attempt(person.password)).status).toBe(200)
  })

  it('of parallel requests are counted one by one, also by two processes', async () => {
    const { person } = await registerPerson()
    const services = [accounts.service, accounts.openService()]
    const attempts = Array.from({ length: 24 }, (_, index) => {
      const client = new AccountClient(
        services[index % 2] ?? accounts.service,
        publicUrl,
        `192.0.2.${index}`,
      )

      return client.send('POST', '/login', { email: person.email, password: `wrong-${index}` })
    })
    const codes = (await Promise.all(attempts)).map(({ body }) => body.code)

    expect(codes.filter((code) => code === 'wrong-password')).toHaveLength(5)
    expect(codes.filter((code) => code === 'too-many-requests')).toHaveLength(19)
  })

  it('are forgotten after the right one', async () => {
    const { person } = await registerPerson()
    const attempt = (password: string) =>
      createClient().send('POST', '/login', { email: person.email, password })
    for (const round of [1, 2]) {
      for (const count of [1, 2, 3, 4]) {
        await attempt(`wrong-${round}-${count}`)
      }

      expect((await attempt(person.password)).status).toBe(200)
    }
  })

  it('do not lock out ten right ones at once', async () => {
    const { person } = await registerPerson()
    const { email, password } = person
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => createClient().send('POST', '/login', { email, password })),
    )

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  })

  it('from one address are limited, whichever accounts they try', async () => {
    const tries = []
    for (let count = 0; count < 32; count += 1) {
      tries.push(
        await createClient('192.0.2.99').send('POST', '/login', {
          email: `u${count}@test.example`,
          password: 'secret12',
        }),
      )
    }

    expect(tries.slice(0, 30).every(({ status }) => status === 404)).toBe(true)
    expect(tries.slice(30).every(({ status }) => status === 429)).toBe(true)
  })

  it('leave neither account nor address readable in the counters', async () => {
    const keys = (await accounts.db.select().from(rateLimits)).map(({ key }) => key)

    expect(keys.length).toBeGreaterThan(0)
    expect(keys.filter((key) => /\d+\.\d+\.\d+|@/.test(key))).toEqual([])
  })
})

describe('a browser that signed in before', () => {
  const guess = (email: string) =>
    createClient('192.0.2.7').send('POST', '/login', { email, password: 'a guess 1' })

  it('is not locked out by wrong passwords of strangers', async () => {
    const { person, client } = await registerPerson()
    const { email, password } = person
    for (let count = 0; count < 8; count += 1) {
      await guess(email)
    }

    expect((await createClient().send('POST', '/login', { email, password })).status).toBe(429)
    expect((await client.send('POST', '/login', { email, password })).status).toBe(200)

    await client.send('POST', '/logout', {})

    expect((await client.send('POST', '/login', { email, password })).status).toBe(200)
  })

  it('has a count of its own, after which the right password is refused, too', async () => {
    const { person, client } = await registerPerson()
    const { email, password } = person
    for (let count = 0; count < 10; count += 1) {
      expect(
        (await client.send('POST', '/login', { email, password: `wrong-${count}` })).body.code,
      ).toBe('wrong-password')
    }

    expect((await client.send('POST', '/login', { email, password })).body.code).toBe(
      'too-many-requests',
    )
  })

  it('is one to its own account only', async () => {
    const { client: attacker } = await registerPerson()
    const { person } = await registerPerson()
    for (let count = 0; count < 5; count += 1) {
      await guess(person.email)
    }

    const answer = await attacker.send('POST', '/login', {
      email: person.email,
      password: 'a guess 2',
    })

    expect(answer.body.code).toBe('too-many-requests')
  })

  it('is a stranger again once the password is another', async () => {
    const { person, client } = await registerPerson()
    const { email } = person
    const token = await requestResetToken(email)
    await createClient().send('POST', '/new-password', { token, password: 'different9' })
    for (let count = 0; count < 5; count += 1) {
      await guess(email)
    }

    const answer = await client.send('POST', '/login', { email, password: 'different9' })

    expect(answer.body.code).toBe('too-many-requests')
  })

  it('is made by a new password, which lets the owner in elsewhere', async () => {
    const { person } = await registerPerson()
    const { email } = person
    for (let count = 0; count < 6; count += 1) {
      await guess(email)
    }

    const elsewhere = createClient()
    const token = await requestResetToken(email)
    await elsewhere.send('POST', '/new-password', { token, password: 'different9' })
    for (let count = 0; count < 6; count += 1) {
      await guess(email)
    }

    expect((await elsewhere.send('POST', '/login', { email, password: 'different9' })).status).toBe(
      200,
    )
  })

  it('has a cookie that scripts cannot read, lasts half a year, and signs nobody in', async () => {
    const { person, client } = await registerPerson()
    const body = JSON.stringify({ email: person.email, password: person.password })
    const headers = { 'Content-Type': 'application/json' }
    const response = await client.fetch('/account/login', { method: 'POST', headers, body })
    const cookie = response.headers.getSetCookie().find((line) => line.includes('known_browser='))

    expect(cookie).toMatch(/Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax/)

    const holder = createClient()
    const [name, value] = [...client.cookies].find(([key]) => key.endsWith('known_browser')) ?? [
      '',
      '',
    ]
    holder.cookies.set(name, value)

    expect(await holder.readUser()).toBeNull()
  })
})

describe('an address that many share', () => {
  it('lets a class of 40 register and sign in at the same time', async () => {
    const pupils = Array.from({ length: 40 }, createPerson)
    const at = '198.51.100.251'
    const made = await Promise.all(
      pupils.map((person) => createClient(at).send('POST', '/register', person)),
    )

    expect(made.filter(({ status }) => status !== 200)).toEqual([])

    const login = ({ email, password }: { email: string; password: string }) =>
      createClient(at).send('POST', '/login', { email, password })
    const signedIn = await Promise.all(pupils.map(login))

    expect(signedIn.filter(({ status }) => status !== 200)).toEqual([])
  })

  it('cannot be cleared by somebody who signs in to an account of their own', async () => {
    const at = '198.51.100.252'
    const { person } = await registerPerson()
    const { email, password } = person
    for (let count = 0; count < 29; count += 1) {
      await createClient(at).send('POST', '/login', {
        email: `nobody-${count}@test.example`,
        password: 'secret12',
      })
    }

    expect((await createClient(at).send('POST', '/login', { email, password })).status).toBe(200)

    const again = () =>
      createClient(at).send('POST', '/login', {
        email: 'nobody@test.example',
        password: 'secret12',
      })

    expect((await again()).status).toBe(404)
    expect((await again()).status).toBe(429)
  })
})

/** How many passwords may be hashed or wait for it. */
const room = Math.max(1, availableParallelism() - 1) + 60

/** Each finished attempt queues again at once, so the queue stays full. */
function standInLine(length: number) {
  let full = true
  const stand = async () => {
    while (full && (await hashPassword('of the crowd')) !== null) {}
  }
  const crowd = Array.from({ length }, stand)

  return {
    async leave() {
      full = false
      await Promise.all(crowd)
    },
  }
}

describe('more passwords at once than can be checked in good time', () => {
  it('are refused with a sentence and a time to come back', async () => {
    const body = JSON.stringify(createPerson())
    const register = () =>
      createClient().fetch('/account/register', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      })
    const crowd = standInLine(room)
    const refused = await register()
    await crowd.leave()

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toEqual({ success: false, code: 'busy' })
    expect((await register()).status).toBe(200)
  })

  it('count against nobody, because none was compared', async () => {
    const { person } = await registerPerson()
    const { email, password } = person
    const crowd = standInLine(room)
    const codes: unknown[] = []
    for (let times = 0; times < 6; times++) {
      codes.push((await createClient().send('POST', '/login', { email, password })).body.code)
    }

    await crowd.leave()

    expect(codes).toEqual(Array(6).fill('busy'))
    expect((await createClient().send('POST', '/login', { email, password })).status).toBe(200)
  })

  it('are refused before anything is asked of the database', async () => {
    const { person } = await registerPerson()
    const crowd = standInLine(room)
    const trace = new RequestTrace('of-a-test')
    await withTrace(trace, async () => {
      for (const [path, body] of [
        ['/login', { email: person.email, password: 'secret12' }],
        ['/register', createPerson()],
        ['/new-password', { token: 'x', password: 'different9' }],
      ] as const) {
        expect([path, (await createClient().send('POST', path, body)).body.code]).toEqual([
          path,
          'busy',
        ])
      }
    })

    await crowd.leave()

    expect(trace.queries).toBe(0)
  })

  it('leave an address its registrations, because none was made', async () => {
    const at = '198.51.100.253'
    // Room for two, so that the others are refused when they have been counted already.
    const crowd = standInLine(room - 2)
    const register = () => createClient(at).send('POST', '/register', createPerson())
    const statuses = (await Promise.all(Array.from({ length: 12 }, register))).map(
      ({ status }) => status,
    )
    await crowd.leave()
    const made = statuses.filter((status) => status === 200).length

    expect([made > 0, statuses.includes(503)]).toEqual([true, true])

    const counter = new AttemptCounter(
      accounts.db,
      'a secret that is only used by tests, 0123456789',
      () => accounts.now,
    )

    expect((await counter.list(at)).map(({ count }) => count)).toEqual([made, made])
  })
})
