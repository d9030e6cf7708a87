import { handleAccountRequest } from '~/features/accounts/account-operations.server'
import type { AccountService } from '~/features/accounts/account-service.server'
import { withRequestSource } from '~/server/http/request-source.server'

type AccountResponse = {
  status: number
  body: { success?: boolean; code?: string; user?: { uid: string } & Record<string, unknown> }
}

/** A browser without a page: it has an IP address and stores cookies. */
export class AccountClient {
  cookies = new Map<string, string>()

  constructor(
    private service: AccountService,
    private origin: string,
    private ipAddress = '203.0.113.7',
  ) {}

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('Origin', this.origin)
    if (this.cookies.size > 0) {
      const cookiePairs = [...this.cookies].map(([name, value]) => `${name}=${value}`)
      headers.set('Cookie', cookiePairs.join('; '))
    }

    const request = new Request(new URL(path, this.origin), {
      ...init,
      headers,
      redirect: 'manual',
    })
    const response = await withRequestSource({ ipAddress: this.ipAddress, isDirect: true }, () =>
      handleAccountRequest(this.service, request),
    )

    for (const setCookie of response.headers.getSetCookie()) {
      this.#storeCookie(setCookie)
    }

    return response
  }

  /** @param body data to send as JSON, or a text to send as it is */
  async send(method: string, path: string, body?: unknown): Promise<AccountResponse> {
    const response = await this.fetch(`/account${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

    return { status: response.status, body: await response.json() }
  }

  /** Returns the learner of the session, or null if nobody is signed in. */
  async readUser() {
    const { body } = await this.send('GET', '/session')
    return body.user ?? null
  }

  #storeCookie(setCookie: string) {
    const [pair = '', ...attributes] = setCookie.split('; ')
    const nameLength = pair.indexOf('=')
    const name = pair.slice(0, nameLength)

    if (attributes.includes('Max-Age=0')) {
      this.cookies.delete(name)
    } else {
      this.cookies.set(name, pair.slice(nameLength + 1))
    }
  }
}
