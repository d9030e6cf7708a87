import { createOTP } from '@better-auth/utils/otp'
import { base32nopad } from '@scure/base'
import type { AccountService } from '~/features/accounts/account-service.server'
import {
  handleTwoFactorForm,
  readTwoFactorStatus,
} from '~/features/accounts/two-factor/two-factor-forms.server'

const periodMs = 30_000

/** An authenticator app that has scanned the QR code. */
export class Authenticator {
  #secret: string

  constructor(address: string) {
    const key = new URL(address).searchParams.get('secret') ?? ''
    this.#secret = new TextDecoder().decode(base32nopad.decode(key))
  }

  createCode(now: number): Promise<string> {
    return createOTP(this.#secret).hotp(Math.floor(now / periodMs))
  }

  async createWrongCode(now: number): Promise<string> {
    const right = Number(await this.createCode(now))
    return String((right + 500_000) % 1_000_000).padStart(6, '0')
  }
}

/** Sets two-step sign-in up for a browser that is signed in. */
export async function setUpTwoStep(
  service: AccountService,
  cookie: string,
  learner: { uid: string; email: string },
) {
  const send = (entered: Record<string, string>) => {
    const request = new Request(service.publicUrl, { method: 'POST', headers: { cookie } })
    const form = new FormData()
    for (const [name, value] of Object.entries(entered)) {
      form.set(name, value)
    }

    return handleTwoFactorForm(service, request, form)
  }

  await send({ intent: 'begin' })
  const setup = await readTwoFactorStatus(service, learner)
  if (setup.status !== 'setup') {
    throw new Error(`The set-up is ${setup.status}.`)
  }

  const app = new Authenticator(setup.url)
  const { data } = await send({ intent: 'enable', code: await app.createCode(service.now()) })
  const codes = 'recoveryCodes' in data ? (data.recoveryCodes ?? []) : []

  return { app, codes, send }
}
