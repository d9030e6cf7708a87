import { eq } from 'drizzle-orm'
import { type AuditRecord, changesBetween } from '~/features/staff/audit.server'
import { type ActionContext, performAction } from '~/features/staff/staff-action.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { gifts } from '~/server/database/schema'
import { queueOrderMail } from '~/server/mail/outbox.server'
import { failure, type Result, success } from '~/server/result'
import { isOwned, lockOrder, normalizeOrderId, type OwnedOrder } from '../order-record.server'
import { createRandomCode } from '../random-code.server'
import { orderStaffActions } from '../staff-actions'
import { giftCodeLength, recipientEmail } from './gift'
import { resendProblems } from './gift-texts'

type ResentGift = { order: OwnedOrder; email: string; hasNewRecipient: boolean }

/** Lets a learner send a gift again that they have given. */
export async function resendOwnGift(
  db: Database,
  gift: { orderId: string; giverUid: string; email: string },
): Promise<Result<ResentGift>> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, gift.orderId)
    if (order === null || !isOwned(order) || order.uid !== gift.giverUid) {
      return failure(resendProblems.notFound)
    }

    return resendGift(tx, order, gift.email)
  })
}

/**
 * Lets staff send a gift again.
 *
 * @param input.email empty for the email address that the gift had before
 */
export async function resendGiftAsStaff(
  context: ActionContext,
  input: { orderId: string; email: string },
): Promise<Result<AuditRecord>> {
  const email = input.email === '' ? null : recipientEmail.safeParse(input.email)
  if (email?.success === false) {
    return failure('That isn’t an email address.')
  }

  return performAction(context, orderStaffActions.resendGift, async (tx) => {
    const order = await lockOrder(tx, normalizeOrderId(input.orderId))
    if (order === null || !isOwned(order)) {
      return failure(resendProblems.notFound)
    }

    const resent = await resendGift(tx, order, email ? email.data : null)
    if (!resent.ok) {
      return resent
    }

    const { hasNewRecipient } = resent.value
    // The audit log contains no email addresses, least of all of people without an account.
    const formerAddress = 'the former address'
    return success({
      subject: order.uid,
      arguments: { order: order.id },
      changes: changesBetween(
        { sentTo: formerAddress },
        { sentTo: hasNewRecipient ? 'another address' : formerAddress },
      ),
      outcome: hasNewRecipient ? 'The gift goes to another address.' : 'The gift is sent again.',
    })
  })
}

/**
 * Emails a gift again that is not redeemed yet. A new recipient gets a new code, so that the person
 * at a mistyped email address can't redeem the gift.
 *
 * @param newEmail null for the email address that the gift had before
 */
async function resendGift(
  tx: Transaction,
  order: OwnedOrder,
  newEmail: string | null,
): Promise<Result<ResentGift>> {
  const [gift] = await tx.select().from(gifts).where(eq(gifts.orderId, order.id))
  const email = newEmail ?? gift?.recipientEmail
  if (!gift || !email || order.state !== 'paid') {
    return failure(resendProblems.notFound)
  }

  if (gift.redeemedAt !== null) {
    return failure(resendProblems.redeemed)
  }

  const hasNewRecipient = email !== gift.recipientEmail
  if (hasNewRecipient) {
    await tx
      .update(gifts)
      .set({ recipientEmail: email, code: createRandomCode(giftCodeLength) })
      .where(eq(gifts.orderId, order.id))
  }

  await queueOrderMail(tx, order.uid, 'gift', order.id)
  return success({ order, email, hasNewRecipient })
}
