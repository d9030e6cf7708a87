/**
 * Checks the amounts of every currency that Stripe supports.
 *
 * A row of the table has, in this order:
 * - the currency;
 * - the decimals with which Stripe counts;
 * - the decimals with which Learnify counts and displays amounts, from Unicode CLDR 48;
 * - the smallest payment that Stripe documents, in whole units, or '-' if it documents none;
 * - how Learnify displays 1,234 units.
 *
 * Source: the currencies, Stripe's decimals and the smallest payments come from
 * docs.stripe.com/currencies. Last compared on 2026-11-28 with two copies of that page, made by
 * others and without a date, and not with the page itself.
 *
 * Where the table has '-', and for COP and IDR, Learnify's smallest payment is our own estimate of
 * about 0.50 US dollars (`smallest-payments.ts`), so this test can only check its lower bound.
 *
 * STD is missing here, because ISO 4217 has replaced it by STN, and `CURRENCY` does not accept it.
 */
import { expect, it } from 'vitest'
import { findPriceProblem } from '~/features/courses/price-rules'
import { getSmallestPaymentMinor } from '~/features/courses/smallest-payments'
import { getDiscountedPrice } from '~/features/orders/coupons/coupon'
import { formatMoney, getCurrencyDecimals, toMajorUnits } from '~/features/school/money'
import { renderPaymentPage } from './sample-payments/sample-payment-page.server'
import { toAmountMinor, toRefundedMinor, toStripeAmount } from './stripe-amounts'

const table = `
AED  2  2    2.00  AED 1,234.00
AFN  2  0       -  AFN 1,234
ALL  2  0       -  ALL 1,234
AMD  2  2       -  AMD 1,234.00
ANG  2  2       -  ANG 1,234.00
AOA  2  2       -  AOA 1,234.00
ARS  2  2    0.50  ARS 1,234.00
AUD  2  2    0.50  A$1,234.00
AWG  2  2       -  AWG 1,234.00
AZN  2  2       -  AZN 1,234.00
BAM  2  2       -  BAM 1,234.00
BBD  2  2       -  BBD 1,234.00
BDT  2  2       -  BDT 1,234.00
BHD  3  3       -  BHD 1,234.000
BIF  0  0       -  BIF 1,234
BMD  2  2       -  BMD 1,234.00
BND  2  2       -  BND 1,234.00
BOB  2  2       -  BOB 1,234.00
BRL  2  2    0.50  R$1,234.00
BSD  2  2       -  BSD 1,234.00
BWP  2  2       -  BWP 1,234.00
BYN  2  2       -  BYN 1,234.00
BZD  2  2       -  BZD 1,234.00
CAD  2  2    0.50  CA$1,234.00
CDF  2  2       -  CDF 1,234.00
CHF  2  2    0.50  CHF 1,234.00
CLP  0  0       -  CLP 1,234
CNY  2  2       -  CN¥1,234.00
COP  2  0    0.50  COP 1,234
CRC  2  2       -  CRC 1,234.00
CVE  2  2       -  CVE 1,234.00
CZK  2  2   15.00  CZK 1,234.00
DJF  0  0       -  DJF 1,234
DKK  2  2    2.50  DKK 1,234.00
DOP  2  2       -  DOP 1,234.00
DZD  2  2       -  DZD 1,234.00
EGP  2  2       -  EGP 1,234.00
ETB  2  2       -  ETB 1,234.00
EUR  2  2    0.50  €1,234.00
FJD  2  2       -  FJD 1,234.00
FKP  2  2       -  FKP 1,234.00
GBP  2  2    0.30  £1,234.00
GEL  2  2       -  GEL 1,234.00
GIP  2  2       -  GIP 1,234.00
GMD  2  2       -  GMD 1,234.00
GNF  0  0       -  GNF 1,234
GTQ  2  2       -  GTQ 1,234.00
GYD  2  2       -  GYD 1,234.00
HKD  2  2    4.00  HK$1,234.00
HNL  2  2       -  HNL 1,234.00
HTG  2  2       -  HTG 1,234.00
HUF  2  0  175.00  HUF 1,234
IDR  2  0    0.50  IDR 1,234
ILS  2  2    0.50  ₪1,234.00
INR  2  2    0.50  ₹1,234.00
ISK  2  0       -  ISK 1,234
JMD  2  2       -  JMD 1,234.00
JOD  3  3       -  JOD 1,234.000
JPY  0  0      50  ¥1,234
KES  2  2       -  KES 1,234.00
KGS  2  2       -  KGS 1,234.00
KHR  2  2       -  KHR 1,234.00
KMF  0  0       -  KMF 1,234
KRW  0  0      50  ₩1,234
KWD  3  3       -  KWD 1,234.000
KYD  2  2       -  KYD 1,234.00
KZT  2  2       -  KZT 1,234.00
LAK  2  0       -  LAK 1,234
LBP  2  0       -  LBP 1,234
LKR  2  2       -  LKR 1,234.00
LRD  2  2       -  LRD 1,234.00
LSL  2  2       -  LSL 1,234.00
MAD  2  2       -  MAD 1,234.00
MDL  2  2       -  MDL 1,234.00
MGA  0  0       -  MGA 1,234
MKD  2  2       -  MKD 1,234.00
MMK  2  0       -  MMK 1,234
MNT  2  2       -  MNT 1,234.00
MOP  2  2       -  MOP 1,234.00
MUR  2  2       -  MUR 1,234.00
MVR  2  2       -  MVR 1,234.00
MWK  2  2       -  MWK 1,234.00
MXN  2  2      10  MX$1,234.00
MYR  2  2    2.00  MYR 1,234.00
MZN  2  2       -  MZN 1,234.00
NAD  2  2       -  NAD 1,234.00
NGN  2  2       -  NGN 1,234.00
NIO  2  2       -  NIO 1,234.00
NOK  2  2    3.00  NOK 1,234.00
NPR  2  2       -  NPR 1,234.00
NZD  2  2    0.50  NZ$1,234.00
OMR  3  3       -  OMR 1,234.000
PAB  2  2       -  PAB 1,234.00
PEN  2  2       -  PEN 1,234.00
PGK  2  2       -  PGK 1,234.00
PHP  2  2    0.50  ₱1,234.00
PKR  2  0       -  PKR 1,234
PLN  2  2    2.00  PLN 1,234.00
PYG  0  0       -  PYG 1,234
QAR  2  2       -  QAR 1,234.00
RON  2  2    2.00  RON 1,234.00
RSD  2  2       -  RSD 1,234.00
RUB  2  2    0.50  RUB 1,234.00
RWF  0  0       -  RWF 1,234
SAR  2  2       -  SAR 1,234.00
SBD  2  2       -  SBD 1,234.00
SCR  2  2       -  SCR 1,234.00
SEK  2  2    3.00  SEK 1,234.00
SGD  2  2    0.50  SGD 1,234.00
SHP  2  2       -  SHP 1,234.00
SLE  2  2       -  SLE 1,234.00
SOS  2  0       -  SOS 1,234
SRD  2  2       -  SRD 1,234.00
SZL  2  2       -  SZL 1,234.00
THB  2  2      10  THB 1,234.00
TJS  2  2       -  TJS 1,234.00
TND  3  3       -  TND 1,234.000
TOP  2  2       -  TOP 1,234.00
TRY  2  2       -  TRY 1,234.00
TTD  2  2       -  TTD 1,234.00
TWD  2  2       -  NT$1,234.00
TZS  2  2       -  TZS 1,234.00
UAH  2  2       -  UAH 1,234.00
UGX  2  0       -  UGX 1,234
USD  2  2    0.50  $1,234.00
UYU  2  2       -  UYU 1,234.00
UZS  2  2       -  UZS 1,234.00
VND  0  0       -  ₫1,234
VUV  0  0       -  VUV 1,234
WST  2  2       -  WST 1,234.00
XAF  0  0       -  FCFA 1,234
XCD  2  2       -  EC$1,234.00
XCG  2  2       -  Cg. 1,234.00
XOF  0  0       -  F CFA 1,234
XPF  0  0       -  CFPF 1,234
YER  2  0       -  YER 1,234
ZAR  2  2    0.50  ZAR 1,234.00
ZMW  2  2       -  ZMW 1,234.00
`

const currencies = table
  .trim()
  .split('\n')
  .map((row) => {
    const [currency = '', stripeDecimals, decimals, documentedUnits, ...text] = row.split(/ {2,}/)
    return {
      currency,
      stripeDecimals: Number(stripeDecimals),
      decimals: Number(decimals),
      documentedUnits: documentedUnits === '-' ? null : Number(documentedUnits),
      text: text.join(' '),
    }
  })

it('the table has all 138 currencies', () => {
  expect(currencies).toHaveLength(138)
})

it.each(currencies)('$currency is counted and displayed alike everywhere', (row) => {
  const { currency, stripeDecimals, decimals, text } = row
  const amountMinor = 1_234 * 10 ** decimals
  const stripeAmount = 1_234 * 10 ** stripeDecimals

  expect(getCurrencyDecimals(currency)).toBe(decimals)
  expect(formatMoney(amountMinor, currency).replaceAll('\u00a0', ' ')).toBe(text)
  expect(toStripeAmount(amountMinor, currency)).toBe(stripeAmount)
  expect(toAmountMinor(stripeAmount, currency.toLowerCase())).toBe(amountMinor)
  expect(toRefundedMinor(stripeAmount, currency.toLowerCase())).toBe(amountMinor)
  expect(renderSamplePayment(stripeAmount, currency)).toContain(formatMoney(amountMinor, currency))
})

/**
 * Stripe documents 0.50, an amount that doesn't exist without decimals and is worth less than a
 * cent.
 */
const currenciesWithUnusableAmount = ['COP', 'IDR']

it.each(currencies.filter(({ currency }) => !currenciesWithUnusableAmount.includes(currency)))(
  'the smallest payment in $currency is $documentedUnits or, if Stripe documents none, at least 0.50',
  ({ currency, documentedUnits }) => {
    const smallestMinor = getSmallestPaymentMinor(currency)
    expect(Number.isInteger(smallestMinor)).toBe(true)

    const units = toMajorUnits(smallestMinor, currency)
    if (documentedUnits === null) {
      expect(units).toBeGreaterThanOrEqual(0.5)
    } else {
      expect(units).toBe(documentedUnits)
    }
  },
)

it.each([
  ['HUF', 174, 175],
  ['ISK', 50, 70],
  ['IDR', 50, 10_000],
  ['COP', 50, 3_000],
  ['VND', 50, 20_000],
  ['USD', 49, 50],
])('a price of %s %i is refused, and one of %i is accepted', (currency, tooSmall, smallest) => {
  const findProblem = (priceMinor: number) =>
    findPriceProblem({ priceMinor, saleMinor: null, until: '' }, currency, '2026-11-28')

  expect(findProblem(tooSmall)).toContain('small amounts')
  expect(findProblem(smallest)).toBeNull()
})

it('a coupon of 20% on a course of 20,000 forint leaves 16,000 forint to pay', () => {
  expect(getDiscountedPrice(20_000, { percent: 20 }, 'HUF')).toBe(16_000)
})

function renderSamplePayment(stripeAmount: number, currency: string): string {
  const session = {
    id: 'cs_1',
    state: 'open' as const,
    intentId: 'pi_1',
    amount: stripeAmount,
    currency: currency.toLowerCase(),
    title: 'A course',
    email: 'ada@test.example',
    successUrl: 'https://learn.example/paid',
    cancelUrl: 'https://learn.example/back',
    expiresAt: 0,
    metadata: {},
  }
  return renderPaymentPage(session, { isDeclined: false }).html
}
