import { formatDate } from '~/ui/format-date'
import { Time } from '../desk-parts'

const dayMs = 24 * 60 * 60_000

/**
 * Shows when a coupon begins. The days of coupons are days in UTC, as in the form that makes them,
 * so a coupon that begins at midnight UTC shows its first day.
 */
export function CouponStart({ at }: { at: Date }) {
  return isMidnight(at) ? <Day at={at} /> : <Time at={at} />
}

/** Shows when a coupon ends. One that ends at midnight UTC shows its last day. */
export function CouponEnd({ at }: { at: Date }) {
  return isMidnight(at) ? <Day at={new Date(at.getTime() - dayMs)} /> : <Time at={at} />
}

function Day({ at }: { at: Date }) {
  const iso = at.toISOString()
  return <time dateTime={iso.slice(0, 10)}>{formatDate(iso, 'UTC')}</time>
}

function isMidnight(at: Date): boolean {
  return at.getTime() % dayMs === 0
}
