/** What staff do with coupons: they create codes, and end them. */
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { findChanges, type NewAuditEntry } from '~/features/staff/audit.server'
import { performStaffAction, type StaffActionContext } from '~/features/staff/staff-action.server'
import type { Transaction } from '~/server/database/client.server'
import { createRandomCode } from '~/server/database/random-id.server'
import { coupons } from '~/server/database/schema'
import { failure, type Result, success } from '~/server/result'
import { cleanCode } from '~/ui/form/clean-text'
import { byCount, formatNumber } from '~/ui/format-count'
import { orderStaffActions } from '../order-change.server'
import { codePattern } from './coupon'
import { formatDiscount } from './coupon-queries.server'
import {
  type CouponTerms,
  parseCount,
  parseTerms,
  type SubmittedTerms,
} from './coupon-terms.server'

const maxCodes = 10_000
const randomCodeLength = 12

/** Creates one coupon. */
export async function createCoupon(
  context: StaffActionContext,
  input: { /** Empty for a random code. */ code: string; terms: SubmittedTerms },
): Promise<Result<NewAuditEntry & { code: string }>> {
  return performStaffAction(context, orderStaffActions.createCoupon, async (tx) => {
    const terms = await parseTerms(tx, input.terms, { maxUsesByDefault: null })
    if (!terms.ok) {
      return terms
    }

    const code = chooseCode(input.code)
    if (!code.ok) {
      return code
    }

    const inserted = await insertCoupons(tx, [code.value], terms.value)
    if (!inserted.ok) {
      return inserted
    }

    return success({
      subject: null,
      arguments: { code: code.value, off: formatDiscount(terms.value) },
      changes: describeCreatedCoupons(1, terms.value),
      outcome: 'The coupon is made.',
      code: code.value,
    })
  })
}

/** Creates many coupons with random codes and the same terms. */
export async function createCoupons(
  context: StaffActionContext,
  input: { count: string; terms: SubmittedTerms },
): Promise<Result<NewAuditEntry & { codes: string[] }>> {
  return performStaffAction(context, orderStaffActions.createCoupons, async (tx) => {
    if (input.terms.name === '') {
      return failure('Give the codes a name, so that you can find, download and end them together.')
    }

    const terms = await parseTerms(tx, input.terms, { maxUsesByDefault: 1 })
    if (!terms.ok) {
      return terms
    }

    const count = parseCount(input.count, { max: maxCodes, label: 'The count of codes' })
    if (!count.ok) {
      return count
    }

    const codes = Array.from({ length: count.value }, () => createRandomCode(randomCodeLength))
    const inserted = await insertCoupons(tx, codes, terms.value)
    if (!inserted.ok) {
      return inserted
    }

    // The codes stay out of the audit log, because every reader of the log could use them.
    return success({
      subject: null,
      arguments: { off: formatDiscount(terms.value), name: terms.value.name },
      changes: describeCreatedCoupons(count.value, terms.value),
      outcome: byCount(
        count.value,
        '1 coupon is made.',
        `${formatNumber(count.value)} coupons are made.`,
      ),
      codes,
    })
  })
}

/** Selects one coupon, or all coupons with the same name. */
type CouponSelection = { code: string } | { name: string }

/**
 * Ends coupons, so that they no longer lower any price. A learner who is on the provider's payment
 * page already still pays the price shown there.
 */
export async function endCoupons(
  context: StaffActionContext,
  selection: CouponSelection,
): Promise<Result<NewAuditEntry>> {
  return performStaffAction(context, orderStaffActions.endCoupons, async (tx) => {
    const endedCoupons = await tx
      .update(coupons)
      .set({ endedAt: sql`now()` })
      .where(and(whereSelected(selection), isNull(coupons.endedAt)))
      .returning({ code: coupons.code })

    const codeOrName = 'code' in selection ? selection.code : selection.name
    const count = endedCoupons.length
    if (count === 0) {
      return failure(`There’s no coupon '${codeOrName}' that could be ended.`)
    }

    return success({
      subject: null,
      arguments: { named: codeOrName },
      changes: findChanges({ ended: 0 }, { ended: count }),
      outcome: byCount(count, '1 coupon has ended.', `${formatNumber(count)} coupons have ended.`),
    })
  })
}

function whereSelected(selection: CouponSelection) {
  if ('code' in selection) {
    return eq(coupons.code, cleanCode(selection.code))
  }

  // Most coupons have no name, so an empty name selects nothing.
  return and(eq(coupons.name, selection.name), ne(coupons.name, ''))
}

function chooseCode(submittedCode: string): Result<string> {
  if (submittedCode === '') {
    return success(createRandomCode(randomCodeLength))
  }

  const code = cleanCode(submittedCode)
  if (!codePattern.test(code)) {
    return failure(
      `'${submittedCode}' can’t be a code: it takes 4 to 40 of the letters A to Z and the digits.`,
    )
  }

  return success(code)
}

const rowsPerInsert = 1_000

async function insertCoupons(
  tx: Transaction,
  codes: readonly string[],
  terms: CouponTerms,
): Promise<Result> {
  for (let start = 0; start < codes.length; start += rowsPerInsert) {
    const rows = codes.slice(start, start + rowsPerInsert).map((code) => ({ ...terms, code }))
    const inserted = await tx
      .insert(coupons)
      .values(rows)
      .onConflictDoNothing()
      .returning({ code: coupons.code })

    if (inserted.length < rows.length) {
      return failure('There’s a coupon with this code already.')
    }
  }

  return success()
}

/** Returns the changes for the audit log: how many coupons are new, and what they do. */
function describeCreatedCoupons(count: number, terms: CouponTerms) {
  const { percent: _percent, amountMinor: _amountMinor, currency: _currency, ...otherTerms } = terms
  return findChanges<Record<string, unknown>>(
    { coupons: 0 },
    { coupons: count, off: formatDiscount(terms), ...otherTerms },
  )
}
