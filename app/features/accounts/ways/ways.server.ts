import { and, eq } from 'drizzle-orm'
import { redirectDocument } from 'react-router'
import * as z from 'zod/mini'
import type { Transaction } from '~/server/database/client.server'
import { identities, passkeys, users } from '~/server/database/schema/index'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { demoUid } from '../account-queries.server'
import { type AccountService, refuseAccountForm } from '../account-service.server'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { listPasskeys, worksHere } from '../passkeys/passkeys.server'
import { endOtherDevices } from '../security/devices.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailSecurityChange } from '../security/security-mails.server'
import {
  findSession,
  openRequestContext,
  passCookies,
  type RequestContext,
  userAgentOf,
} from '../session/session.server'
import { isWayOpen } from '../social/organizations'
import { nameOf } from '../social/social-providers.server'
import { longestPasskeyName, wayNotices } from './way-messages'

/** The ways to sign in to an account, those that it has and those that can be added. */
export async function readWays(
  service: AccountService,
  { uid, email }: { uid: string; email: string },
) {
  const { db, providers, publicUrl } = service
  const rows = await db
    .select({ provider: identities.providerId })
    .from(identities)
    .where(eq(identities.userId, uid))
  const has = (id: string) => rows.some(({ provider }) => provider === id)

  return {
    password: has('credential'),
    providers: providers.map((one) => ({ ...nameOf(one), isAdded: has(one.id) })),
    /** The names of the only providers that may sign this address in; empty if any way may. */
    onlyWays: isWayOpen(providers, email, 'password')
      ? []
      : providers.filter(({ id }) => isWayOpen(providers, email, id)).map(({ name }) => name),
    passkeys: await listPasskeys(service, uid),
    host: new URL(publicUrl).hostname,
  }
}

export type Ways = Awaited<ReturnType<typeof readWays>>

const id = z.string().check(z.minLength(1), z.maxLength(200))
const endOthers = z.optional(z.literal('on'))
const wayForm = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('add'), way: id }),
  z.object({ intent: z.literal('remove'), way: id, endOthers }),
  z.object({ intent: z.literal('remove-passkey'), id, endOthers }),
  z.object({
    intent: z.literal('rename-passkey'),
    id,
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(longestPasskeyName)),
  }),
])

type Session = { id: string; userId: string }
/** `way`: `credential` or a provider's ID. */
type Removal = { way: string } | { passkey: string }

/** The action of the page, for a session that is confirmed. */
export async function answerWays(service: AccountService, request: Request, form: FormData) {
  const { db } = service
  const requestContext = openRequestContext(request)
  const session = await findSession(service, requestContext)
  const { data } = checkForm(wayForm, form)
  if (!data || !session) {
    return refuseAccountForm(data ? 'not-signed-in' : 'invalid-request')
  }

  if (session.userId === demoUid) {
    return refuseAccountForm('demo-account')
  }

  switch (data.intent) {
    case 'add':
      return leadToProvider(service, requestContext, data.way)
    case 'rename-passkey':
      await db
        .update(passkeys)
        .set({ name: data.name })
        .where(and(eq(passkeys.id, data.id), eq(passkeys.userId, session.userId)))
      return successResponse<AccountFormSuccess>({ notice: wayNotices.renamed })
    default: {
      const removal = data.intent === 'remove' ? { way: data.way } : { passkey: data.id }
      const removed = await removeWay(service, session, removal, {
        endOthers: data.endOthers === 'on',
        userAgent: userAgentOf(requestContext),
      })

      return removed
        ? successResponse<AccountFormSuccess>({ notice: wayNotices.removed })
        : errorResponse(wayNotices.last, { status: 409 })
    }
  }
}

/**
 * The provider's page; on the way back the identity there is added to this account, whatever its
 * email address.
 */
async function leadToProvider(
  service: AccountService,
  requestContext: RequestContext,
  providerId: string,
) {
  const provider = service.providers.find(({ id }) => id === providerId)
  if (!provider) {
    return refuseAccountForm('invalid-request')
  }

  const auth = await service.providerAuths.get(provider)
  if (!auth) {
    return refuseAccountForm('provider-away')
  }

  const { headers, response } = await auth.api.linkSocialAccount({
    body: {
      provider: providerId,
      callbackURL: '/Profile/sign-in',
      errorCallbackURL: '/Profile/sign-in',
      disableRedirect: true,
    },
    headers: requestContext.headers,
    returnHeaders: true,
  })
  const away = redirectDocument(response.url, { status: 303 })
  passCookies(headers, away.headers)

  return away
}

/**
 * Removes a way to sign in with its event and its mail, all of them or none.
 *
 * @returns false if the account has no other one that works, or not this one.
 */
function removeWay(
  service: AccountService,
  session: Session,
  removal: Removal,
  { endOthers, userAgent }: { endOthers: boolean; userAgent: string },
): Promise<boolean> {
  const uid = session.userId
  return service.db
    .transaction(async (tx) => {
      // One removal at a time, so that two together don't remove the last two ways.
      const [user] = await tx
        .select({ email: users.email })
        .from(users)
        .where(eq(users.id, uid))
        .for('update')

      if (
        !user ||
        (await listUsable(tx, service, { uid, ...user })).filter((one) => !isSame(one, removal))
          .length === 0
      ) {
        return false
      }

      const removed =
        'way' in removal
          ? await tx
              .delete(identities)
              .where(and(eq(identities.userId, uid), eq(identities.providerId, removal.way)))
              .returning({ id: identities.id })
          : await tx
              .delete(passkeys)
              .where(and(eq(passkeys.userId, uid), eq(passkeys.id, removal.passkey)))
              .returning({ id: passkeys.id })

      if (removed.length === 0) {
        return false
      }

      const [kind, way] =
        'way' in removal
          ? (['sign-in-method-removed', wayOf(removal.way)] as const)
          : (['passkey-removed', undefined] as const)
      await recordSecurityEvent(tx, uid, { kind, way, userAgent })
      await mailSecurityChange(tx, uid, 'way' in removal ? 'way-removed' : 'passkey-removed')
      if (endOthers) {
        await endOtherDevices(tx, uid, session.id)
      }

      return true
    })
    .then((removed) => {
      if (removed) {
        service.mailQueued()
      }

      return removed
    })
}

const wayOf = (id: string) => (id === 'credential' ? 'password' : id)

/**
 * Leaves out providers without keys, ways that the organization has closed, and passkeys of an
 * earlier host name.
 */
async function listUsable(
  tx: Transaction,
  { providers, publicUrl }: AccountService,
  { uid, email }: { uid: string; email: string },
): Promise<Removal[]> {
  const isOpen = (way: string) => isWayOpen(providers, email, way)
  const usable = new Set<string>(providers.map(({ id }) => id).filter(isOpen))
  if (isOpen('password')) {
    usable.add('credential')
  }

  const rows = await tx
    .select({ way: identities.providerId })
    .from(identities)
    .where(eq(identities.userId, uid))
  const keys = isOpen('passkey')
    ? await tx
        .select({ passkey: passkeys.id })
        .from(passkeys)
        .where(and(eq(passkeys.userId, uid), worksHere(publicUrl)))
    : []

  return [...rows.filter(({ way }) => usable.has(way)).map(({ way }) => ({ way })), ...keys]
}

function isSame(one: Removal, other: Removal): boolean {
  if ('way' in one) {
    return 'way' in other && one.way === other.way
  }

  return 'passkey' in other && one.passkey === other.passkey
}
