import { handleAccountRequest } from '~/features/accounts/account-operations.server'
import type { AccountService } from '~/features/accounts/account-service.server'
import { withArrival } from '~/server/http/client-address.server'

type Answer = {
  status: number
  body: { success?: boolean; code?: string; user?: { uid: string } & Record<string, unknown> }
}

/** One browser as far as the account service can tell: an address and a cookie jar, but no page. */
export class AccountClient {
  cookies = new Map<string, string>()

  constructor(
    private service: AccountService,
    private origin: string,
    private address = '203.0.113.7',
  ) {}

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('Origin', this.origin)
    if (this.cookies.size > 0) {
      headers.set('Cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    }

    const request = new Request(new URL(path, this.origin), {
      ...init,
      headers,
      redirect: 'manual',
    })
    const response = await withArrival({ address: this.address, direct: true }, () =>
      handleAccountRequest(this.service, request),
    )
    for (const cookie of response.headers.getSetCookie()) {
      this.#keep(cookie)
    }

    return response
  }

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await this.fetch(`/account${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

    return { status: response.status, body: await response.json() }
  }

  async readUser() {
    return (await this.send('GET', '/session')).body.user ?? null
  }

  #keep(cookie: string) {
    const [pair = '', ...attributes] = cookie.split('; ')
    const name = pair.slice(0, pair.indexOf('='))
    if (attributes.includes('Max-Age=0')) {
      this.cookies.delete(name)
    } else {
      this.cookies.set(name, pair.slice(pair.indexOf('=') + 1))
    }
  }
}
