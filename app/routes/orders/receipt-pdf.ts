import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { orderErrors } from '~/features/orders/order-texts'
import { findReceipt } from '~/features/orders/purchases/purchase-queries.server'
import { readReceiptFile } from '~/features/orders/receipts/receipt-files.server'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/receipt-pdf'

export async function loader({ params, context }: Route.LoaderArgs) {
  const receipt = await findReceipt(db, context.get(signedInLearner).uid, params.number)
  if (!receipt) {
    throw new Response(orderErrors.noSuchReceipt, { status: 404 })
  }

  const { name, bytes } = await readReceiptFile(db, receipt)

  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Length': String(bytes.length),
      'Content-Disposition': `inline; filename="${name}"`,
      'Cache-Control': 'private, no-cache',
    },
  })
}
