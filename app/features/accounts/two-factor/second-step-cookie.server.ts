import { parse, serialize } from 'hono/utils/cookie'
import type { AccountService } from '../account-service.server'

/** What a browser's cookie keeps between the two steps of a sign-in. */
export type SecondStep = {
  token: string
  /** How the first step was passed: `password`, or the provider's ID. */
  signInMethod: string
  rememberMe: boolean
}

const lifetimeSeconds = 10 * 60

export async function setSecondStepCookie(
  service: AccountService,
  responseCookies: Headers,
  { token, signInMethod, rememberMe }: SecondStep,
): Promise<void> {
  const { name, attributes } = await getCookieSettings(service)
  const value = [token, signInMethod, rememberMe ? 'remember' : 'forget'].join('.')
  responseCookies.append('Set-Cookie', serialize(name, value, attributes))
}

/** Returns null if the browser has no such cookie. The token may have expired. */
export async function readSecondStepCookie(
  service: AccountService,
  requestHeaders: Headers,
): Promise<SecondStep | null> {
  const { name } = await getCookieSettings(service)
  const value = parse(requestHeaders.get('cookie') ?? '', name)[name]
  const [token, signInMethod, remember] = value?.split('.') ?? []
  if (!token) {
    return null
  }

  // The cookie is not signed, but only the security log uses the sign-in method.
  const provider = service.providers.find(({ id }) => id === signInMethod)

  return {
    token,
    signInMethod: provider?.id ?? 'password',
    rememberMe: remember === 'remember',
  }
}

export async function clearSecondStepCookie(
  service: AccountService,
  responseCookies: Headers,
): Promise<void> {
  const { name, attributes } = await getCookieSettings(service)
  responseCookies.append('Set-Cookie', serialize(name, '', { ...attributes, maxAge: 0 }))
}

async function getCookieSettings({ auth }: AccountService) {
  const context = await auth.$context
  return context.createAuthCookie('second_step', { maxAge: lifetimeSeconds })
}
