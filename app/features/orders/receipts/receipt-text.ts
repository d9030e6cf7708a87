import { countryName } from '../checkout/country-name'
import type { IssuedReceipt } from './issue-receipt.server'

type ReceiptDocument = IssuedReceipt['document']

/** What the page and the PDF of a receipt or credit note say alike. */
export function receiptTitle({ number, document }: IssuedReceipt): string {
  return documentTitle({ number, kind: document.kind })
}

type Named = { number: number; kind: ReceiptDocument['kind'] }

export const documentTitle = ({ number, kind }: Named) =>
  kind === 'receipt' ? `Receipt ${number}` : `Credit note ${number}`
export const documentAsPdf = ({ number, kind }: Named) =>
  kind === 'receipt' ? `Receipt ${number} as PDF` : `Credit note ${number} as PDF`

export const couponLine = (code: string) => `Coupon ${code}`

/** 'receipt-12.pdf' */
export function receiptFileName({ number, document }: IssuedReceipt): string {
  return `${document.kind.replace(' ', '-')}-${number}.pdf`
}

export function sellerLines({ seller }: ReceiptDocument): string[] {
  return filled([
    seller.name,
    ...seller.address.split('\n'),
    seller.taxId && `Tax number ${seller.taxId}`,
  ])
}

export function buyerLines({ buyer }: ReceiptDocument): string[] {
  return filled([
    buyer.company,
    buyer.name,
    ...(buyer.address ?? '').split('\n'),
    buyer.country && countryName(buyer.country),
    buyer.email,
    buyer.vatNumber && `VAT number ${buyer.vatNumber}`,
  ])
}

function filled(lines: (string | undefined)[]): string[] {
  return lines.flatMap((line) => line?.trim() || [])
}

/** A credit note names the receipt that it corrects. */
export function aboutReceipt({ orderId, corrects }: ReceiptDocument): string {
  return corrects ? `Order ${orderId} · for receipt ${corrects}` : `Order ${orderId}`
}
