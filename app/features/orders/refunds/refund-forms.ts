import * as z from 'zod'
import { refundKinds } from './refund-options'
import { longestReason } from './refund-texts'

const reason = z
  .string()
  .trim()
  .max(longestReason, `At most ${longestReason} characters, please.`)
  .default('')

export const askForm = z.object({ reason })

/** Of a visitor. */
export const statementForm = z.object({
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
