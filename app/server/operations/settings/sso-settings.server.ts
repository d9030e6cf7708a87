import { domainToASCII } from 'node:url'
import * as z from 'zod'

const onOrOff = {
  truthy: ['true', '1', 'yes', 'on'],
  falsy: ['false', '0', 'no', 'off'],
  error: 'on or off',
}
const domain = /^(?!-)[a-z\d-]+(\.[a-z\d-]+)+$/

/** Returns whether a URL can be an issuer. TLS is required, except on this machine. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) {
    return false
  }

  const { protocol, hostname, search, hash } = new URL(text)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

  return (protocol === 'https:' || (protocol === 'http:' && isLocal)) && !search && !hash
}

/**
 * The settings of a single sign-on provider. Each is a variable `SSO_ID_PART`, with an ID that the
 * operator chooses.
 */
export const ssoParts = {
  NAME: z.string().max(40, 'at most 40 characters').describe('how the button calls the provider'),
  ISSUER: z
    .string()
    .refine(
      isIssuer,
      'the provider’s address, which starts with https:// and is what it calls `issuer`',
    )
    .describe(
      'the provider’s address; its configuration is at `ISSUER/.well-known/openid-configuration`',
    ),
  CLIENT_ID: z.string().describe('client that the provider made for this school'),
  CLIENT_SECRET: z.string().meta({ description: 'secret of that client', secret: true }),
  DOMAINS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(domainToASCII),
    )
    .refine(
      (list) => list.every((name) => domain.test(name)),
      'domains like school.example, separated by commas',
    )
    .describe(
      'the domains of email addresses that may sign in with this provider, separated by commas',
    ),
  VERIFIES: z
    .enum(['claim', 'always'], { error: 'claim or always' })
    .default('claim')
    .describe('when an address counts as verified: by the provider’s `claim`, or `always`'),
  ONLY_WAY: z.stringbool(onOrOff).default(false).describe('whether it is the only way to sign in'),
}

const ssoProvider = z.object(ssoParts)
type SsoPart = keyof typeof ssoParts

/** The settings of a single sign-on provider. */
export type SsoSettings = z.output<typeof ssoProvider> & { id: string }

const partsInFiles = ['CLIENT_ID', 'CLIENT_SECRET']
const namePattern = new RegExp(`^SSO_([A-Z\\d]+)_(${Object.keys(ssoParts).join('|')})$`)

/** Parses the name of a variable. Returns null if it is not a setting of single sign-on. */
export function readSsoName(
  name: string,
): { id: string; part: SsoPart; meaning: string; isSecret: boolean } | null {
  const [, id, part] = namePattern.exec(name) ?? []
  if (!id || !part) {
    return null
  }

  const { description = '', secret } = ssoParts[part as SsoPart].meta() ?? {}

  return {
    id: id.toLowerCase(),
    part: part as SsoPart,
    meaning: description,
    isSecret: secret === true,
  }
}

/** Returns whether the value may be in a file that `NAME_FILE` names. */
export function mayBeInFile(name: string): boolean {
  return partsInFiles.includes(readSsoName(name)?.part ?? '')
}

/** Returns the providers, ordered by ID, and a sentence about each mistake. */
export function readSsoSettings(given: Readonly<Record<string, string | undefined>>) {
  const partsById: Record<string, Partial<Record<SsoPart, string>>> = {}
  for (const [name, value] of Object.entries(given)) {
    const parsedName = readSsoName(name)
    if (parsedName) {
      const { id, part } = parsedName
      partsById[id] = { ...partsById[id], [part]: value }
    }
  }

  const mistakes: string[] = []
  const providers = Object.entries(partsById)
    .toSorted(([idA], [idB]) => idA.localeCompare(idB))
    .flatMap(([id, parts]): SsoSettings[] => {
      const prefix = `SSO_${id.toUpperCase()}_`
      const { data, error } = ssoProvider.safeParse(parts)
      for (const { path, message } of error?.issues ?? []) {
        const part = path[0] as SsoPart
        mistakes.push(
          parts[part] ? `${prefix}${part}: expected ${message}` : `${prefix}${part} is missing.`,
        )
      }

      // Without domains, a provider could claim any email address, and sign in to anyone's account.
      if (data?.VERIFIES === 'always' && data.DOMAINS.length === 0) {
        mistakes.push(`${prefix}VERIFIES=always needs ${prefix}DOMAINS.`)
      }

      return data ? [{ ...data, id }] : []
    })

  return { providers, mistakes }
}
