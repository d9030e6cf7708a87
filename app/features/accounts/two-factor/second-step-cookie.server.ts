import { parse, serialize } from 'hono/utils/cookie'
import type { AccountService } from '../account-service.server'

/** A browser between the two steps of its sign-in, with what the first step said. */
export type SecondStep = { token: string; way: string; rememberMe: boolean }

const lastsSeconds = 10 * 60

async function cookieOf({ auth }: AccountService) {
  return (await auth.$context).createAuthCookie('second_step', { maxAge: lastsSeconds })
}

export async function setSecondStep(
  service: AccountService,
  cookies: Headers,
  { token, way, rememberMe }: SecondStep,
) {
  const { name, attributes } = await cookieOf(service)
  const value = [token, way, rememberMe ? 'remember' : 'forget'].join('.')
  cookies.append('Set-Cookie', serialize(name, value, attributes))
}

export async function readSecondStep(
  service: AccountService,
  headers: Headers,
): Promise<SecondStep | null> {
  const { name } = await cookieOf(service)
  const [token = '', way = '', remember] =
    parse(headers.get('cookie') ?? '', name)[name]?.split('.') ?? []
  if (!token) {
    return null
  }

  // Only the security log uses the way.
  const isProvider = service.providers.some(({ id }) => id === way)

  return { token, way: isProvider ? way : 'password', rememberMe: remember === 'remember' }
}

export async function clearSecondStep(service: AccountService, cookies: Headers): Promise<void> {
  const { name, attributes } = await cookieOf(service)
  cookies.append('Set-Cookie', serialize(name, '', { ...attributes, maxAge: 0 }))
}
