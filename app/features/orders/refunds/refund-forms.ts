import * as z from 'zod'
import { maxRefundReasonLength, refundKinds } from './refund-options'

const reason = z
  .string()
  .trim()
  .max(maxRefundReasonLength, `At most ${maxRefundReasonLength} characters, please.`)
  .default('')

export const refundRequestForm = z.object({ reason })

/** Of a visitor. */
export const refundRequestByEmailForm = z.object({
  kind: z.enum(refundKinds, 'Please choose one.'),
  order: z
    .string()
    .trim()
    .min(1, 'Please enter the order number.')
    .max(40, 'Please enter the order number.'),
  email: z
    .string()
    .trim()
    .min(1, 'Please enter the email address.')
    .max(320, 'Please enter the email address.'),
  reason,
})
