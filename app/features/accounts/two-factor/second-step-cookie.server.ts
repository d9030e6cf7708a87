import { parse, serialize } from 'hono/utils/cookie'
import type { AccountService } from '../account-service.server'

/** What a browser's cookie keeps between the two steps of a sign-in. */
type SecondStep = { token: string; signInMethod: string; rememberMe: boolean }

const lifetimeSeconds = 10 * 60

export async function setSecondStep(
  service: AccountService,
  responseCookies: Headers,
  { token, signInMethod, rememberMe }: SecondStep,
): Promise<void> {
  const { name, attributes } = await createSecondStepCookie(service)
  const value = [token, signInMethod, rememberMe ? 'remember' : 'forget'].join('.')
  responseCookies.append('Set-Cookie', serialize(name, value, attributes))
}

export async function readSecondStep(
  service: AccountService,
  requestHeaders: Headers,
): Promise<SecondStep | null> {
  const { name } = await createSecondStepCookie(service)
  const value = parse(requestHeaders.get('cookie') ?? '', name)[name]
  const [token = '', signInMethod = '', remember] = value?.split('.') ?? []
  if (!token) {
    return null
  }

  // The cookie is not signed, but only the security log uses the sign-in method.
  const isProvider = service.providers.some(({ id }) => id === signInMethod)

  return {
    token,
    signInMethod: isProvider ? signInMethod : 'password',
    rememberMe: remember === 'remember',
  }
}

export async function clearSecondStep(
  service: AccountService,
  responseCookies: Headers,
): Promise<void> {
  const { name, attributes } = await createSecondStepCookie(service)
  responseCookies.append('Set-Cookie', serialize(name, '', { ...attributes, maxAge: 0 }))
}

async function createSecondStepCookie({ auth }: AccountService) {
  const context = await auth.$context
  return context.createAuthCookie('second_step', { maxAge: lifetimeSeconds })
}
