/**
 * Removes sign-in methods of an account.
 *
 * The last method that works for an account can't be removed. better-auth's `unlinkAccount` breaks
 * this promise: it counts identities only, including those of providers that are no longer offered
 * or not allowed, ignores passkeys, and lets two parallel requests remove the last two.
 */
import { and, eq } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { identities, passkeys, users } from '~/server/database/schema/index'
import type { AccountService } from '../account-service.server'
import { worksAtHost } from '../passkeys/passkey-queries.server'
import { passwordProviderId } from '../password/password-queries.server'
import { endOtherDevices } from '../security/devices.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailSecurityChange } from '../security/security-mails.server'
import { isSignInMethodAllowed } from '../social/allowed-sign-in-methods'

type Session = { id: string; userId: string }

/** A sign-in method of an account: the password (`credential`) or a provider, or a passkey. */
type SignInMethod = { providerId: string } | { passkeyId: string }

type RemovalOptions = { shouldEndOthers: boolean; userAgent: string }

/** `last-method` means that the account has no other method that works, so nothing was removed. */
type RemovalOutcome = 'removed' | 'not-found' | 'last-method'

/**
 * Removes a sign-in method together with its entry in the security log and its email, in one
 * transaction.
 */
export async function removeSignInMethod(
  service: AccountService,
  session: Session,
  method: SignInMethod,
  { shouldEndOthers, userAgent }: RemovalOptions,
): Promise<RemovalOutcome> {
  const uid = session.userId
  const outcome = await service.db.transaction(async (tx): Promise<RemovalOutcome> => {
    // The lock keeps two removals at the same time from removing the last two methods.
    const [user] = await tx
      .select({ email: users.email })
      .from(users)
      .where(eq(users.id, uid))
      .for('update')
    if (!user) {
      return 'not-found'
    }

    const usableMethods = await listUsableMethods(tx, service, { uid, email: user.email })
    const hasOtherMethod = usableMethods.some((usableMethod) => !isSameMethod(usableMethod, method))
    if (!hasOtherMethod) {
      return 'last-method'
    }

    const isDeleted = await deleteMethod(tx, uid, method)
    if (!isDeleted) {
      return 'not-found'
    }

    await recordRemoval(tx, uid, method, userAgent)
    if (shouldEndOthers) {
      await endOtherDevices(tx, uid, session.id)
    }

    return 'removed'
  })

  if (outcome === 'removed') {
    service.wakeEmailSender()
  }

  return outcome
}

/** Tells the account's owner, in the security log and by email. */
async function recordRemoval(
  tx: Transaction,
  uid: string,
  method: SignInMethod,
  userAgent: string,
): Promise<void> {
  if ('passkeyId' in method) {
    await recordSecurityEvent(tx, uid, { kind: 'passkey-removed', userAgent })
    await mailSecurityChange(tx, uid, 'passkey-removed')
    return
  }

  const signInMethod = method.providerId === passwordProviderId ? 'password' : method.providerId
  await recordSecurityEvent(tx, uid, { kind: 'sign-in-method-removed', signInMethod, userAgent })
  await mailSecurityChange(tx, uid, 'way-removed')
}

/** @returns whether the account had the method */
async function deleteMethod(tx: Transaction, uid: string, method: SignInMethod): Promise<boolean> {
  if ('passkeyId' in method) {
    const deleted = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.userId, uid), eq(passkeys.id, method.passkeyId)))
      .returning({ id: passkeys.id })
    return deleted.length > 0
  }

  const deleted = await tx
    .delete(identities)
    .where(and(eq(identities.userId, uid), eq(identities.providerId, method.providerId)))
    .returning({ id: identities.id })
  return deleted.length > 0
}

/**
 * Returns the sign-in methods that work at present. It leaves out providers that are not
 * configured, methods that the organization does not allow, and passkeys of an earlier host name.
 */
async function listUsableMethods(
  tx: Transaction,
  { providers, publicUrl }: AccountService,
  { uid, email }: { uid: string; email: string },
): Promise<SignInMethod[]> {
  const isAllowed = (signInMethod: string) => isSignInMethodAllowed(providers, email, signInMethod)
  const usableProviderIds = new Set<string>(providers.map(({ id }) => id).filter(isAllowed))
  if (isAllowed('password')) {
    usableProviderIds.add(passwordProviderId)
  }

  const identityMethods = await tx
    .select({ providerId: identities.providerId })
    .from(identities)
    .where(eq(identities.userId, uid))
  const usableMethods: SignInMethod[] = identityMethods.filter(({ providerId }) =>
    usableProviderIds.has(providerId),
  )
  if (!isAllowed('passkey')) {
    return usableMethods
  }

  const passkeyMethods = await tx
    .select({ passkeyId: passkeys.id })
    .from(passkeys)
    .where(and(eq(passkeys.userId, uid), worksAtHost(publicUrl)))

  return [...usableMethods, ...passkeyMethods]
}

function isSameMethod(first: SignInMethod, second: SignInMethod): boolean {
  if ('providerId' in first) {
    return 'providerId' in second && first.providerId === second.providerId
  }

  return 'passkeyId' in second && first.passkeyId === second.passkeyId
}
