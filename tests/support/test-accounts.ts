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

/** The account service with a database of its own, and helpers for its accounts. */
export class TestAccounts {
  db!: Database
  databaseUrl!: string
  service!: AccountService
  mailbox!: Mailbox
  /** The service's clock. */
  now = Date.now()
  #personCount = 0

  constructor() {
    beforeAll(async () => {
      const { db, url } = await createTestDatabase()
      this.db = db
      this.databaseUrl = url
      this.service = this.openService()
      this.mailbox = new Mailbox(this.db, publicUrl)
    })
  }

  /** Opens the account service as another process does, or as a product with another URL does. */
  openService(
    url = publicUrl,
    options: {
      sessionRules?: SessionRules
      secret?: string
      previousSecrets?: string[]
      db?: Database
    } = {},
  ): AccountService {
    return createAccountService({
      db: this.db,
      publicUrl: url,
      isLoopback: url === publicUrl,
      secret: testSecret,
      providers: [],
      now: () => this.now,
      ...options,
    })
  }

  createPerson = () => {
    this.#personCount += 1
    return {
      email: `person-${this.#personCount}@test.example`,
      password: 'secret12',
      firstName: 'Ada',
      lastName: 'Lovelace',
    }
  }

  createClient = (ipAddress = `198.51.100.${this.#personCount % 250}`, service = this.service) =>
    new AccountClient(service, publicUrl, ipAddress)

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
