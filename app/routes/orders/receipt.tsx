import { FileText } from 'lucide-react'
import { data, Link } from 'react-router'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { orderErrors } from '~/features/orders/order-texts'
import { findReceipt } from '~/features/orders/purchases/purchase-queries.server'
import {
  formatCoupon,
  formatIssueDate,
  formatReceiptReference,
  listBuyerLines,
  listSellerLines,
  receiptTitle,
} from '~/features/orders/receipts/receipt-text'
import type { IssuedReceipt } from '~/features/orders/receipts/receipts.server'
import { formatTaxRate } from '~/features/orders/receipts/tax'
import { formatMoney } from '~/features/school/money'
import { db } from '~/server/database/client.server'
import { ButtonLink } from '~/ui/button'
import { Logo } from '~/ui/logo'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/receipt'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const title = loaderData ? receiptTitle(loaderData) : 'Receipt'
  return pageMeta({ title, description: 'A receipt.', path: null, matches })
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { uid } = context.get(signedInLearner)
  const receipt = await findReceipt(db, uid, params.number)
  if (!receipt) {
    throw data(orderErrors.noSuchReceipt, { status: 404 })
  }

  return receipt
}

export default function ReceiptRoute({ loaderData }: Route.ComponentProps) {
  return <ReceiptPage {...loaderData} />
}

export const ErrorBoundary = createNotFoundBoundary({
  heading: 'There is no such receipt',
  title: 'Receipt not found',
  text: 'The address may be mistyped, or the receipt belongs to another account.',
  link: { to: '/Profile/purchases', label: 'Your purchases' },
})

/** A receipt or credit note as it was issued, fit for printing. */
function ReceiptPage({ number, document }: IssuedReceipt) {
  const { courseTitle, currency, discount, totalMinor, taxBasisPoints, taxMinor } = document
  return (
    <div className="column py-8 lg:py-12">
      <div className="mx-auto mb-4 flex max-w-3xl flex-wrap items-center justify-between gap-3 print:hidden">
        <Link to="/Profile/purchases" className="link">
          Purchases
        </Link>
        <ButtonLink
          to={`/Profile/purchases/${number}/document.pdf`}
          variant="secondary"
          reloadDocument
        >
          <FileText aria-hidden="true" size={18} /> Open as PDF
        </ButtonLink>
      </div>
      <article className="card mx-auto max-w-3xl p-6 sm:p-10 print:border-0 print:p-0 print:shadow-none">
        <Logo />
        <h1 className="mt-6 font-bold text-3xl tracking-tight">
          {receiptTitle({ number, document })}
        </h1>
        <p className="mt-1 text-muted">
          {formatIssueDate(document)} · {formatReceiptReference(document)}
        </p>
        <div className="mt-8 grid gap-6 sm:grid-cols-2">
          <Party title="Seller" lines={listSellerLines(document)} />
          <Party title="Buyer" lines={listBuyerLines(document)} />
        </div>
        <table className="mt-8 w-full border-line border-t text-left">
          <thead className="text-muted">
            <tr>
              <th scope="col" className="py-3 font-medium">
                Course
              </th>
              <th scope="col" className="py-3 text-right font-medium">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            <tr className="border-line border-t">
              <td className="py-3 pr-4 [overflow-wrap:anywhere]">{courseTitle}</td>
              <td className="whitespace-nowrap py-3 text-right">
                {formatMoney(totalMinor + (discount?.amountMinor ?? 0), currency)}
              </td>
            </tr>
            {discount && (
              <tr>
                <td className="pb-3 pr-4 [overflow-wrap:anywhere]">
                  {formatCoupon(discount.code)}
                </td>
                <td className="whitespace-nowrap pb-3 text-right">
                  {formatMoney(-discount.amountMinor, currency)}
                </td>
              </tr>
            )}
          </tbody>
          <tfoot>
            <tr className="border-line border-t font-bold text-lg">
              <th scope="row" className="py-3">
                Total
              </th>
              <td className="whitespace-nowrap py-3 text-right">
                {formatMoney(totalMinor, currency)}
              </td>
            </tr>
            {taxBasisPoints > 0 && (
              <tr className="text-muted">
                <th scope="row" className="font-normal">
                  Includes {formatTaxRate(taxBasisPoints)} tax
                </th>
                <td className="whitespace-nowrap text-right">{formatMoney(taxMinor, currency)}</td>
              </tr>
            )}
          </tfoot>
        </table>
      </article>
    </div>
  )
}

function Party({ title, lines }: { title: string; lines: string[] }) {
  return (
    <div>
      <h2 className="font-medium text-muted">{title}</h2>
      <address className="mt-1 not-italic [overflow-wrap:anywhere]">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same.
          <span key={index} className="block">
            {line}
          </span>
        ))}
      </address>
    </div>
  )
}
