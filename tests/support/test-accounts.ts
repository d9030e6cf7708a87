import { beforeAll, expect } from 'vitest'
import {
  type AccountService,
  createAccountService,
} from '~/features/accounts/account-service.server'
import type { SessionRules } from '~/features/accounts/session/session-rules.server'
import type { Database } from '~/server/database/client.server'
import { AccountClient } from './account-client'
import { Mailbox } from './mailbox'
import { createTestDatabase } from './test-database'

export const publicUrl = 'http://localhost:3000'
export const testSecret = 'a secret that is only used by tests, 0123456789'

/** The account service on a separate database, and its users. */
export class TestAccounts {
  db!: Database
  /** The database's address. */
  url!: string
  service!: AccountService
  mailbox!: Mailbox
  /** The service's clock. */
  now = Date.now()
  #people = 0

  constructor() {
    beforeAll(async () => {
      const opened = await createTestDatabase()
      this.db = opened.db
      this.url = opened.url
      this.service = this.openService()
      this.mailbox = new Mailbox(this.db, publicUrl)
    })
  }

  /** Another process of the same product, or one with another address. */
  openService(
    url = publicUrl,
    more: {
      sessionRules?: SessionRules
      secret?: string
      previousSecrets?: string[]
      db?: Database
    } = {},
  ): AccountService {
    const loopback = url === publicUrl
    const now = () => this.now

    return createAccountService({
      db: this.db,
      publicUrl: url,
      loopback,
      secret: testSecret,
      providers: [],
      now,
      ...more,
    })
  }

  createPerson = () => {
    this.#people += 1
    return {
      email: `person-${this.#people}@test.example`,
      password: 'secret12',
      firstName: 'Ada',
      lastName: 'Lovelace',
    }
  }

  createClient = (address = `198.51.100.${this.#people % 250}`, service = this.service) =>
    new AccountClient(service, publicUrl, address)

  registerPerson = async () => {
    const person = this.createPerson()
    const client = this.createClient()
    expect((await client.send('POST', '/register', person)).status).toBe(200)

    return { person, client }
  }

  requestResetToken = async (email: string): Promise<string> => {
    expect((await this.createClient().send('POST', '/forgot-password', { email })).status).toBe(200)
    return this.mailbox.readTokenSentTo(email)
  }
}
