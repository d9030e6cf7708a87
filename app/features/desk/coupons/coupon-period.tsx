import { useContext } from 'react'
import { findDayEndingAt, findDayStartingAt } from '~/features/school/local-time'
import { formatDate } from '~/ui/format-date'
import { DeskContext } from '../desk-context'
import { Time } from '../desk-parts'

/**
 * Shows when a coupon begins. The days of coupons are days in the school's time zone, as in the
 * form that makes them, so a coupon that begins with a day shows that day.
 */
export function CouponStart({ at }: { at: Date }) {
  const { schoolTimeZone } = useContext(DeskContext)
  const firstDay = findDayStartingAt(at, schoolTimeZone)
  return firstDay ? <Day day={firstDay} /> : <Time at={at} />
}

/** Shows when a coupon ends. One that ends with a day shows its last day. */
export function CouponEnd({ at }: { at: Date }) {
  const { schoolTimeZone } = useContext(DeskContext)
  const lastDay = findDayEndingAt(at, schoolTimeZone)
  return lastDay ? <Day day={lastDay} /> : <Time at={at} />
}

/** @param props.day a day such as '2026-12-31' */
function Day({ day }: { day: string }) {
  return <time dateTime={day}>{formatDate(day)}</time>
}
