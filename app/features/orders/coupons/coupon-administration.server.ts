import { and, desc, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Statements, Transaction } from '~/server/database/client.server'
import { coupons, orders, users } from '~/server/database/schema'
import { StartError } from '~/server/env.server'
import { newCode } from '../random-code.server'
import { codePattern, normalizeCode } from './coupon'
import { holdsUse } from './coupon-queries.server'

/** What operators see of coupons and do to them. */

export type NewCoupon = Omit<typeof coupons.$inferInsert, 'code' | 'createdAt' | 'endedAt'>
export type ListedCoupon = typeof coupons.$inferSelect & { uses: number }

/**
 * @param codes as an operator chose them, or how many to make up.
 * @returns the codes as they are stored.
 * @throws {StartError} for a code that exists already, or that isn't one.
 */
export async function createCoupons(
  transaction: Transaction,
  codes: readonly string[] | number,
  coupon: NewCoupon,
): Promise<string[]> {
  const wanted =
    typeof codes === 'number'
      ? Array.from({ length: codes }, () => newCode(12))
      : codes.map(checkedCode)
  for (let from = 0; from < wanted.length; from += rowsAtOnce) {
    const rows = wanted.slice(from, from + rowsAtOnce).map((code) => ({ ...coupon, code }))
    const added = await transaction
      .insert(coupons)
      .values(rows)
      .onConflictDoNothing()
      .returning({ code: coupons.code })

    if (added.length < rows.length) {
      throw new StartError('There’s a coupon with this code already.')
    }
  }

  return wanted
}

const rowsAtOnce = 1_000

function checkedCode(typed: string): string {
  const code = normalizeCode(typed)
  if (codePattern.test(code)) {
    return code
  }

  throw new StartError(
    `'${typed}' can’t be a code: it takes 4 to 40 of the letters A to Z and the digits.`,
  )
}

const uses = sql<number>`(select count(*)::int from orders o where o.coupon_code = coupons.code and ${holdsUse})`

/** The newest coupons with the text in their code or name. */
export async function listCoupons(
  db: Pick<Statements, 'select'>,
  text: string,
  limit: number,
): Promise<ListedCoupon[]> {
  const rows = await db
    .select({ coupon: coupons, uses })
    .from(coupons)
    .where(
      sql`position(lower(${text.trim()}) in lower(${coupons.code} || ' ' || ${coupons.name})) > 0`,
    )
    .orderBy(desc(coupons.createdAt), coupons.code)
    .limit(limit)

  return rows.map(({ coupon, ...counted }) => ({ ...coupon, ...counted }))
}

/** @param typed the code, in any case. */
export async function findCoupon(
  db: Pick<Statements, 'select'>,
  typed: string,
): Promise<ListedCoupon | null> {
  const [found] = await db
    .select({ coupon: coupons, uses })
    .from(coupons)
    .where(eq(coupons.code, normalizeCode(typed)))
  return found ? { ...found.coupon, uses: found.uses } : null
}

/** A coupon and the newest orders that took it. @throws {StartError} */
export async function describeCoupon(db: Pick<Statements, 'select'>, typed: string) {
  const coupon = await findCoupon(db, typed)
  if (!coupon) {
    throw new StartError(`There’s no coupon '${typed}'.`)
  }

  const taken = await db
    .select({ order: orders, email: users.email })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.uid))
    .where(eq(orders.couponCode, coupon.code))
    .orderBy(desc(orders.createdAt))
    .limit(100)

  return { coupon, orders: taken }
}

/** Selects one coupon, or all with the same name. */
export type MeantCoupons = { code: string } | { name: string }

/** Yields the coupons in chunks, ordered by code. */
export async function* listNamedCoupons(
  transaction: Pick<Statements, 'select'>,
  named: { name: string },
  atOnce: number,
): AsyncGenerator<ListedCoupon[]> {
  for (let after = ''; ; ) {
    const rows = await transaction
      .select({ coupon: coupons, uses })
      .from(coupons)
      .where(and(isMeant(named), gt(coupons.code, after)))
      .orderBy(coupons.code)
      .limit(atOnce)

    yield rows.map(({ coupon, ...counted }) => ({ ...coupon, ...counted }))
    if (rows.length < atOnce) {
      return
    }

    after = rows.at(-1)?.coupon.code ?? ''
  }
}

/**
 * Ends coupons: from now on they lower nothing. Who is on the provider's page already still pays
 * the price shown there.
 *
 * @returns how many were ended.
 * @throws {StartError} if there is none.
 */
export async function endCoupons(transaction: Transaction, which: MeantCoupons): Promise<number> {
  const meant = transaction.select({ code: coupons.code }).from(coupons).where(isMeant(which))
  const ended = await transaction
    .update(coupons)
    .set({ endedAt: sql`now()` })
    .where(and(inArray(coupons.code, meant), isNull(coupons.endedAt)))
    .returning({ code: coupons.code })

  if (ended.length === 0) {
    throw new StartError(`There’s no coupon '${Object.values(which)[0]}' that could be ended.`)
  }

  return ended.length
}

/** An empty name selects nothing, because most coupons have none. */
function isMeant(which: MeantCoupons) {
  if ('code' in which) {
    return eq(coupons.code, normalizeCode(which.code))
  }

  return and(eq(coupons.name, which.name), ne(coupons.name, ''))
}
