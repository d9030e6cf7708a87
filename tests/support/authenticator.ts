import { createOTP } from '@better-auth/utils/otp'
import { base32nopad } from '@scure/base'
import type { AccountService } from '~/features/accounts/account-service.server'
import {
  handleTwoFactorForm,
  readTwoFactorStatus,
} from '~/features/accounts/two-factor/two-factor-forms.server'

const codePeriodMs = 30_000
const codeDigits = 6

/** An authenticator app that has scanned the QR code. */
export class Authenticator {
  #secret: string

  /** @param setupUrl the URL in the QR code */
  constructor(setupUrl: string) {
    const encodedSecret = new URL(setupUrl).searchParams.get('secret')
    if (encodedSecret === null) {
      throw new Error('The setup URL has no secret.')
    }

    this.#secret = new TextDecoder().decode(base32nopad.decode(encodedSecret))
  }

  createCode(now: number): Promise<string> {
    return createOTP(this.#secret).hotp(Math.floor(now / codePeriodMs))
  }

  async createWrongCode(now: number): Promise<string> {
    const validCode = Number(await this.createCode(now))
    const wrongCode = (validCode + 500_000) % 10 ** codeDigits
    return String(wrongCode).padStart(codeDigits, '0')
  }
}

/** Sets up two-step sign-in for the browser with this session cookie. */
export async function setUpTwoStep(
  service: AccountService,
  cookie: string,
  learner: { uid: string; email: string },
) {
  const submitForm = (fields: Record<string, string>) => {
    const request = new Request(service.publicUrl, { method: 'POST', headers: { cookie } })
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) {
      form.set(name, value)
    }

    return handleTwoFactorForm(service, request, form)
  }

  await submitForm({ intent: 'begin' })
  const setup = await readTwoFactorStatus(service, learner)
  if (setup.status !== 'setup') {
    throw new Error(`The set-up is ${setup.status}.`)
  }

  const app = new Authenticator(setup.url)
  const code = await app.createCode(service.now())
  const { data } = await submitForm({ intent: 'enable', code })
  const recoveryCodes = 'recoveryCodes' in data ? (data.recoveryCodes ?? []) : []

  return { app, recoveryCodes, submitForm }
}
