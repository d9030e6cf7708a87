/**
 * The texts that the page and the PDF of a receipt or credit note have in common. The types and
 * functions call both of them receipts, unless a credit note differs.
 */
import { formatLongDate } from '~/ui/format-date'
import { formatCountry } from './countries'
import type { IssuedReceipt } from './receipts.server'

type ReceiptDocument = IssuedReceipt['document']

export function receiptTitle({ number, document }: IssuedReceipt): string {
  return documentTitle({ number, kind: document.kind })
}

type DocumentName = { number: number; kind: ReceiptDocument['kind'] }

export function documentTitle({ number, kind }: DocumentName): string {
  return kind === 'receipt' ? `Receipt ${number}` : `Credit note ${number}`
}

export function pdfLinkLabel(name: DocumentName): string {
  return `${documentTitle(name)} as PDF`
}

export function formatCoupon(code: string): string {
  return `Coupon ${code}`
}

/** Returns a file name such as 'receipt-12.pdf'. */
export function receiptFileName({ number, document }: IssuedReceipt): string {
  return `${document.kind.replace(' ', '-')}-${number}.pdf`
}

export function listSellerLines({ seller }: ReceiptDocument): string[] {
  return trimLines([
    seller.name,
    ...seller.address.split('\n'),
    seller.taxId && `Tax number ${seller.taxId}`,
  ])
}

export function listBuyerLines({ buyer }: ReceiptDocument): string[] {
  return trimLines([
    buyer.company,
    buyer.name,
    ...(buyer.address ?? '').split('\n'),
    buyer.country && formatCountry(buyer.country),
    buyer.email,
    buyer.vatNumber && `VAT number ${buyer.vatNumber}`,
  ])
}

/** Trims the lines, and leaves out missing and empty ones. */
function trimLines(lines: (string | undefined)[]): string[] {
  return lines.map((line) => line?.trim() ?? '').filter((line) => line !== '')
}

/**
 * Formats the day on which a document was issued, in the zone that the school had then. Documents
 * without a zone are from releases that dated them in UTC.
 */
export function formatIssueDate({ issuedAt, timeZone = 'UTC' }: ReceiptDocument): string {
  return formatLongDate(issuedAt, timeZone)
}

/** Names the order of the document. A credit note also names the receipt that it corrects. */
export function formatReceiptReference({ orderId, corrects }: ReceiptDocument): string {
  return corrects ? `Order ${orderId} · for receipt ${corrects}` : `Order ${orderId}`
}
