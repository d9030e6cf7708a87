import { extractText, getDocumentProxy } from 'unpdf'
import { expect, it } from 'vitest'
import type { ReceiptDocument } from '~/server/database/schema'
import { drawReceiptPdf } from './receipt-pdf.server'
import { listBuyerLines } from './receipt-text'
import type { IssuedReceipt } from './receipts.server'

const pageUrl = 'https://learnify.example/Profile/purchases/12'

function createReceipt(changes: Partial<ReceiptDocument> = {}): IssuedReceipt {
  return {
    number: 12,
    document: {
      kind: 'receipt',
      orderId: 'ABCDEFGH23',
      issuedAt: '2026-11-26T09:00:00.000Z',
      seller: {
        name: 'Harbor School',
        address: '1 Quay Street\n20457 Hamburg',
        taxId: 'DE123456789',
      },
      buyer: {
        name: 'Ada Lovelace',
        email: 'ada@test.example',
        company: 'Analytical Engines Ltd',
        country: 'DE',
      },
      courseTitle: 'Python from Zero',
      currency: 'EUR',
      totalMinor: 8900,
      taxBasisPoints: 1900,
      taxMinor: 1421,
      ...changes,
    },
  }
}

async function readPdf(pdf: Buffer) {
  const document = await getDocumentProxy(new Uint8Array(pdf))
  const { text, totalPages } = await extractText(document, { mergePages: true })
  return { text: text.replace(/\s+/g, ' '), totalPages, document }
}

it('a receipt is dated in the zone that the school had, and an older one in UTC', async () => {
  const lateEvening = { issuedAt: '2026-11-26T23:30:00.000Z' }
  for (const [changes, day] of [
    [{ ...lateEvening, timeZone: 'Europe/Berlin' }, 'November 27, 2026'],
    [lateEvening, 'November 26, 2026'],
  ] as const) {
    const { text } = await readPdf(await drawReceiptPdf(createReceipt(changes), pageUrl))
    expect(text).toContain(`${day} · Order ABCDEFGH23`)
  }
})

it('the PDF of a receipt has the text of its page, is tagged, and is the same each time', async () => {
  const pdf = await drawReceiptPdf(createReceipt(), pageUrl)

  expect(pdf.length).toBeLessThan(200 * 1024)
  expect(pdf.equals(await drawReceiptPdf(createReceipt(), pageUrl))).toBe(true)

  const { text, totalPages, document } = await readPdf(pdf)
  expect(totalPages).toBe(1)

  for (const expectedText of [
    'Receipt 12',
    'November 26, 2026 · Order ABCDEFGH23',
    'Harbor School 1 Quay Street 20457 Hamburg Tax number DE123456789',
    'Analytical Engines Ltd Ada Lovelace Germany ada@test.example',
    'Python from Zero €89.00',
    'Total €89.00',
    'Includes 19% tax €14.21',
    pageUrl,
  ]) {
    expect(text).toContain(expectedText)
  }

  expect(await document.getMarkInfo()).toMatchObject({ Marked: true })
})

it('a receipt shows the price and the discount of a coupon', async () => {
  const receipt = createReceipt({
    totalMinor: 6675,
    discount: { code: 'SPRING2026', amountMinor: 2225 },
  })
  const { text } = await readPdf(await drawReceiptPdf(receipt, pageUrl))
  for (const expectedText of [
    'Python from Zero €89.00',
    'Coupon SPRING2026 -€22.25',
    'Total €66.75',
  ]) {
    expect(text).toContain(expectedText)
  }
})

it('a credit note names the receipt that it corrects, and has a negative amount', async () => {
  const creditNote = createReceipt({
    kind: 'credit note',
    corrects: 11,
    totalMinor: -8900,
    taxMinor: -1421,
  })
  const { text } = await readPdf(await drawReceiptPdf(creditNote, pageUrl))
  for (const expectedText of ['Credit note 12', 'for receipt 11', 'Total -€89.00', '-€14.21']) {
    expect(text).toContain(expectedText)
  }
})

it('the longest details of a buyer fit on the page', async () => {
  const buyer = {
    name: 'Ł'.repeat(100),
    email: `${'a'.repeat(60)}@${'b'.repeat(180)}.example`,
    company: 'W'.repeat(200),
    address: Array.from({ length: 250 }, () => 'x').join('\n'),
    vatNumber: 'DE'.repeat(25),
  }
  const { totalPages } = await readPdf(
    await drawReceiptPdf(
      createReceipt({ buyer, courseTitle: 'Very long title '.repeat(20) }),
      pageUrl,
    ),
  )

  expect(totalPages).toBe(1)
})

it('text that no font can draw is replaced by a hint', async () => {
  const buyer = { name: '王小明', email: 'ming@test.example', company: 'Größe & Söhne Łódź' }
  const { text } = await readPdf(await drawReceiptPdf(createReceipt({ buyer }), pageUrl))

  expect(text).toContain('Größe & Söhne Łódź As the receipt’s page shows it ming@test.example')
})

it.each(['USD', 'JPY', 'KWD', 'INR', 'KRW', 'NGN', 'UAH', 'VND', 'TRY', 'ILS', 'PLN', 'THB'])(
  'an amount in %s is drawn with its sign',
  async (currency) => {
    const { text } = await readPdf(await drawReceiptPdf(createReceipt({ currency }), pageUrl))
    const amountParts = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency,
    }).formatToParts(0)
    const sign = amountParts.find(({ type }) => type === 'currency')

    expect(text).toContain(`Total ${sign?.value}`)
  },
)

it('a line that an address contains twice is written twice', () => {
  const { document } = createReceipt({
    buyer: { name: 'Ada', email: 'ada@test.example', address: 'Ada\n\n 1 Street ' },
  })
  expect(listBuyerLines(document)).toEqual(['Ada', 'Ada', '1 Street', 'ada@test.example'])
})
