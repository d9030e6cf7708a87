/**
 * The settings of single sign-on. Each provider has its own variables `SSO_<ID>_<PART>`, with an ID
 * that the operator chooses, so no fixed list can name the variables.
 *
 * The message of a wrong value completes the sentence "expected ...".
 */
import { domainToASCII } from 'node:url'
import * as z from 'zod'

const domainPattern = /^(?!-)[a-z\d-]+(\.[a-z\d-]+)+$/

/** Returns whether a URL can be an issuer. TLS is required, except on this machine. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) {
    return false
  }

  const { protocol, hostname, search, hash } = new URL(text)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

  return (protocol === 'https:' || (protocol === 'http:' && isLocal)) && !search && !hash
}

/** The parts of a provider's settings. */
export const ssoParts = {
  NAME: z
    .string()
    .min(1)
    .max(40, 'at most 40 characters')
    .describe('how the button calls the provider'),
  ISSUER: z
    .string()
    .refine(
      isIssuer,
      'the provider’s address, which starts with https:// and is what it calls `issuer`',
    )
    .describe(
      'the provider’s address; its configuration is at `ISSUER/.well-known/openid-configuration`',
    ),
  CLIENT_ID: z.string().min(1).describe('client that the provider made for this school'),
  CLIENT_SECRET: z.string().min(1).meta({ description: 'secret of that client', secret: true }),
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
      (list) => list.every((domain) => domainPattern.test(domain)),
      'domains like school.example, separated by commas',
    )
    .describe(
      'the domains of email addresses that may sign in with this provider, separated by commas',
    ),
  VERIFIES: z
    .enum(['claim', 'always'], { error: 'claim or always' })
    .default('claim')
    .describe('when an address counts as verified: by the provider’s `claim`, or `always`'),
  ONLY_WAY: z
    .stringbool({
      truthy: ['true', '1', 'yes', 'on'],
      falsy: ['false', '0', 'no', 'off'],
      error: 'on or off',
    })
    .default(false)
    .describe('whether it is the only way to sign in'),
}

const ssoProvider = z.object(ssoParts)
type SsoPart = keyof typeof ssoParts

/** The settings of one provider. */
export type SsoSettings = z.output<typeof ssoProvider> & { id: string }

/** The parts whose value may be in a file that `<VARIABLE>_FILE` names. */
const partsInFiles: readonly SsoPart[] = ['CLIENT_ID', 'CLIENT_SECRET']
const variablePattern = new RegExp(`^SSO_([A-Z\\d]+)_(${Object.keys(ssoParts).join('|')})$`)

/** Parses the name of a variable. Returns null if it is not a setting of single sign-on. */
export function parseSsoVariable(
  name: string,
): { id: string; part: SsoPart; meaning: string; isSecret: boolean } | null {
  const [, id, matchedPart] = variablePattern.exec(name) ?? []
  if (!id || !matchedPart) {
    return null
  }

  const part = matchedPart as SsoPart
  const { description = '', secret } = ssoParts[part].meta() ?? {}

  return { id: id.toLowerCase(), part, meaning: description, isSecret: secret === true }
}

/** Returns whether the value of a variable may be in a file that `<VARIABLE>_FILE` names. */
export function canBeInFile(name: string): boolean {
  const variable = parseSsoVariable(name)
  return variable !== null && partsInFiles.includes(variable.part)
}

/**
 * Returns the providers, ordered by ID, and a sentence about each mistake. The server does not
 * start if there are mistakes.
 */
export function readSsoSettings(variables: Readonly<Record<string, string | undefined>>) {
  const partsById: Record<string, Partial<Record<SsoPart, string>>> = {}
  for (const [name, value] of Object.entries(variables)) {
    const variable = parseSsoVariable(name)
    if (variable) {
      const { id, part } = variable
      partsById[id] = { ...partsById[id], [part]: value }
    }
  }

  const mistakes: string[] = []
  const providers: SsoSettings[] = []
  const sortedParts = Object.entries(partsById).toSorted(([idA], [idB]) => idA.localeCompare(idB))

  for (const [id, parts] of sortedParts) {
    const prefix = `SSO_${id.toUpperCase()}_`
    const { data: provider, error } = ssoProvider.safeParse(parts)
    for (const { path, message } of error?.issues ?? []) {
      const part = path[0] as SsoPart
      mistakes.push(
        parts[part] ? `${prefix}${part}: expected ${message}` : `${prefix}${part} is missing.`,
      )
    }

    // A provider whose users enter their email address themselves could sign in to anyone's
    // account.
    if (provider?.VERIFIES === 'always' && provider.DOMAINS.length === 0) {
      mistakes.push(`${prefix}VERIFIES=always needs ${prefix}DOMAINS.`)
    }

    if (provider) {
      providers.push({ ...provider, id })
    }
  }

  return { providers, mistakes }
}
