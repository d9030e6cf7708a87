import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { rateLimits } from '~/server/database/schema/index'
import { RequestTrace, withTrace } from '~/server/http/request-trace.server'
import { AccountClient } from '../../../../tests/support/account-client'
import { publicUrl, TestAccounts } from '../../../../tests/support/test-accounts'
import { disableAccountByEmail } from '../account-queries.server'
import { AttemptCounter } from '../attempt-counter.server'
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
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => createClient().send('POST', '/login', { email, password })),
    )

    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
  })

  it('from one address are limited, whichever accounts they try', async () => {
    const responses = []
    for (let count = 0; count < 32; count += 1) {
      responses.push(
        await createClient('192.0.2.99').send('POST', '/login', {
          email: `u${count}@test.example`,
          password: 'secret12',
        }),
      )
    }

    expect(responses.slice(0, 30).every(({ status }) => status === 404)).toBe(true)
    expect(responses.slice(30).every(({ status }) => status === 429)).toBe(true)
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

    const response = await attacker.send('POST', '/login', {
      email: person.email,
      password: 'a guess 2',
    })

    expect(response.body.code).toBe('too-many-requests')
  })

  it('is a stranger again once the password is another', async () => {
    const { person, client } = await registerPerson()
    const { email } = person
    const token = await requestResetToken(email)
    await createClient().send('POST', '/new-password', { token, password: 'different9' })
    for (let count = 0; count < 5; count += 1) {
      await guess(email)
    }

    const response = await client.send('POST', '/login', { email, password: 'different9' })

    expect(response.body.code).toBe('too-many-requests')
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

    const clientWithCookie = createClient()
    const [name, value] = [...client.cookies].find(([key]) => key.endsWith('known_browser')) ?? [
      '',
      '',
    ]
    clientWithCookie.cookies.set(name, value)

    expect(await clientWithCookie.readUser()).toBeNull()
  })
})

describe('the right password', () => {
  it.each([
    ['an account', false],
    ['a disabled account', true],
  ])('of %s is compared 60 times for a client, and then no more', async (_name, isDisabled) => {
    const { person } = await registerPerson()
    const { email, password } = person
    if (isDisabled) {
      await disableAccountByEmail(accounts.db, email)
    }

    const statuses: number[] = []
    for (let count = 0; count < 61; count += 1) {
      const response = await createClient('192.0.2.44').send('POST', '/login', { email, password })
      statuses.push(response.status)
    }

    expect(statuses.slice(0, 60)).not.toContain(429)
    expect(statuses[60]).toBe(429)
  })
})

describe('an address that many share', () => {
  it('lets a class of 40 register and sign in at the same time', async () => {
    const people = Array.from({ length: 40 }, createPerson)
    const ipAddress = '198.51.100.251'
    const registrations = await Promise.all(
      people.map((person) => createClient(ipAddress).send('POST', '/register', person)),
    )

    expect(registrations.filter(({ status }) => status !== 200)).toEqual([])

    const login = ({ email, password }: { email: string; password: string }) =>
      createClient(ipAddress).send('POST', '/login', { email, password })
    const signedIn = await Promise.all(people.map(login))

    expect(signedIn.filter(({ status }) => status !== 200)).toEqual([])
  })

  it('cannot be cleared by somebody who signs in to an account of their own', async () => {
    const ipAddress = '198.51.100.252'
    const { person } = await registerPerson()
    const { email, password } = person
    for (let count = 0; count < 29; count += 1) {
      await createClient(ipAddress).send('POST', '/login', {
        email: `nobody-${count}@test.example`,
        password: 'secret12',
      })
    }

    expect((await createClient(ipAddress).send('POST', '/login', { email, password })).status).toBe(
      200,
    )

    const tryUnknownEmail = () =>
      createClient(ipAddress).send('POST', '/login', {
        email: 'nobody@test.example',
        password: 'secret12',
      })

    expect((await tryUnknownEmail()).status).toBe(404)
    expect((await tryUnknownEmail()).status).toBe(429)
  })
})

/** The number of passwords that may be hashed or wait to be hashed. */
const queueCapacity = Math.max(1, availableParallelism() - 1) + 60

/** Fills the queue. Each finished password is followed by another one, so the queue stays full. */
function fillPasswordQueue(length: number) {
  let isFilling = true
  const hashAgainAndAgain = async () => {
    while (isFilling && (await hashPassword('of the crowd')) !== null) {}
  }
  const crowd = Array.from({ length }, hashAgainAndAgain)

  return {
    async stop() {
      isFilling = false
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
    const queueFiller = fillPasswordQueue(queueCapacity)
    const busyResponse = await register()
    await queueFiller.stop()

    expect([busyResponse.status, busyResponse.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await busyResponse.json()).toEqual({ success: false, code: 'busy' })
    expect((await register()).status).toBe(200)
  })

  it('count against nobody, because none was compared', async () => {
    const { person } = await registerPerson()
    const { email, password } = person
    const queueFiller = fillPasswordQueue(queueCapacity)
    const codes: unknown[] = []
    for (let times = 0; times < 6; times++) {
      codes.push((await createClient().send('POST', '/login', { email, password })).body.code)
    }

    await queueFiller.stop()

    expect(codes).toEqual(Array(6).fill('busy'))
    expect((await createClient().send('POST', '/login', { email, password })).status).toBe(200)
  })

  it('are refused before anything is asked of the database', async () => {
    const { person } = await registerPerson()
    const queueFiller = fillPasswordQueue(queueCapacity)
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

    await queueFiller.stop()

    expect(trace.queryCount).toBe(0)
  })

  it('leave an address its registrations, because none was made', async () => {
    const ipAddress = '198.51.100.253'
    // Room for two, so that the others are refused when they have been counted already.
    const queueFiller = fillPasswordQueue(queueCapacity - 2)
    const register = () => createClient(ipAddress).send('POST', '/register', createPerson())
    const statuses = (await Promise.all(Array.from({ length: 12 }, register))).map(
      ({ status }) => status,
    )
    await queueFiller.stop()
    const registrationCount = statuses.filter((status) => status === 200).length

    expect([registrationCount > 0, statuses.includes(503)]).toEqual([true, true])

    const counter = new AttemptCounter(
      accounts.db,
      'a secret that is only used by tests, 0123456789',
      () => accounts.now,
    )

    expect((await counter.list(ipAddress)).map(({ count }) => count)).toEqual([
      registrationCount,
      registrationCount,
    ])
  })
})
