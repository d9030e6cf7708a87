/**
 * The smallest amounts that payment providers accept, by currency.
 *
 * The tables are in whole units of the currency, such as dollars or forint. The functions return
 * minor units.
 */
import { getCurrencyDecimals, toMinorUnits } from '~/features/school/money'

/**
 * The smallest payments that Stripe documents, in whole units, unless they are 0.50.
 *
 * Source: the table 'Minimum charge amount by currency' on docs.stripe.com/currencies. Last
 * compared on 2026-11-28 with two copies of that page, made by others and without a date, and not
 * with the page itself. The older copy leaves out ARS, COP, IDR, ILS, KRW, PHP, RUB and ZAR. In all
 * other currencies, both have the same amounts.
 */
const documentedSmallestPayment: Record<string, number> = {
  AED: 2,
  CZK: 15,
  DKK: 2.5,
  GBP: 0.3,
  HKD: 4,
  HUF: 175,
  JPY: 50,
  KRW: 50,
  MXN: 10,
  MYR: 2,
  NOK: 3,
  PLN: 2,
  RON: 2,
  SEK: 3,
  THB: 10,
}

/**
 * Our own estimates, not Stripe's: about 0.50 US dollars in whole units, by the exchange rates of
 * about 2025 and rounded up to one digit.
 *
 * The copies of Stripe's table have no amount in these currencies, except that the newer copy has
 * 0.50 in COP and IDR, which is worth less than a cent. According to the older copy, Stripe
 * converts such a payment to the currency of the school's bank account, and applies the smallest
 * payment of that currency. In most currencies, this is worth about 0.50 US dollars.
 */
const estimatedSmallestPayment: Record<string, number> = {
  AFN: 40,
  ALL: 50,
  AMD: 200,
  ANG: 0.9,
  AOA: 500,
  AWG: 0.9,
  AZN: 0.9,
  BAM: 0.9,
  BBD: 1,
  BDT: 70,
  BIF: 2_000,
  BND: 0.7,
  BOB: 4,
  BWP: 7,
  BYN: 2,
  BZD: 1,
  CDF: 2_000,
  CLP: 500,
  CNY: 4,
  COP: 3_000,
  CRC: 300,
  CVE: 50,
  DJF: 90,
  DOP: 40,
  DZD: 70,
  EGP: 30,
  ETB: 80,
  FJD: 2,
  GEL: 2,
  GMD: 40,
  GNF: 5_000,
  GTQ: 4,
  GYD: 200,
  HNL: 20,
  HTG: 70,
  IDR: 10_000,
  ISK: 70,
  JMD: 90,
  KES: 70,
  KGS: 50,
  KHR: 3_000,
  KMF: 300,
  KZT: 300,
  LAK: 20_000,
  LBP: 50_000,
  LKR: 200,
  LRD: 100,
  LSL: 9,
  MAD: 5,
  MDL: 9,
  MGA: 3_000,
  MKD: 30,
  MMK: 2_000,
  MNT: 2_000,
  MOP: 5,
  MUR: 30,
  MVR: 8,
  MWK: 900,
  MZN: 40,
  NAD: 9,
  NGN: 800,
  NIO: 20,
  NPR: 80,
  PEN: 2,
  PGK: 3,
  PKR: 200,
  PYG: 4_000,
  QAR: 2,
  RSD: 60,
  RWF: 800,
  SAR: 2,
  SBD: 5,
  SCR: 8,
  SLE: 20,
  SOS: 300,
  SRD: 20,
  SZL: 9,
  TJS: 5,
  TOP: 2,
  TRY: 30,
  TTD: 4,
  TWD: 20,
  TZS: 2_000,
  UAH: 30,
  UGX: 2_000,
  UYU: 30,
  UZS: 7_000,
  VND: 20_000,
  VUV: 70,
  WST: 2,
  XAF: 300,
  XCD: 2,
  XCG: 0.9,
  XOF: 300,
  XPF: 60,
  YER: 200,
  ZMW: 20,
}

/**
 * The smallest payment in all other currencies. Both copies of Stripe's table have it for AUD, BRL,
 * CAD, CHF, EUR, INR, NZD, SGD and USD, and only the newer copy for ARS, ILS, PHP, RUB and ZAR. In
 * all others, such as BMD or KWD, it is our own estimate.
 */
const commonSmallestPayment = 0.5

/**
 * About 0.50 US dollars in whole units, by the exchange rates of about 2025 and rounded up to one
 * digit, in the currencies whose smallest payment is worth more or less than that.
 */
const halfDollar: Record<string, number> = {
  ARS: 700,
  BHD: 0.2,
  BRL: 3,
  GBP: 0.5,
  ILS: 2,
  INR: 50,
  JOD: 0.4,
  KRW: 700,
  KWD: 0.2,
  OMR: 0.2,
  PHP: 30,
  RUB: 50,
  TND: 2,
  ZAR: 9,
}

/** Returns about one US dollar in minor units, for round amounts in the size of usual prices. */
export function getApproximateDollarMinor(currency: string): number {
  const worth =
    halfDollar[currency] ??
    documentedSmallestPayment[currency] ??
    estimatedSmallestPayment[currency] ??
    commonSmallestPayment

  return Math.ceil(toMinorUnits(2 * worth, currency))
}

/** Returns the smallest amount that payment providers accept, in minor units. */
export function getSmallestPaymentMinor(currency: string): number {
  const smallestPayment =
    documentedSmallestPayment[currency] ??
    estimatedSmallestPayment[currency] ??
    commonSmallestPayment

  // A currency without decimals has no amount of 0.50, so the amount is rounded up.
  return Math.ceil(toMinorUnits(smallestPayment, currency))
}

/**
 * Returns the step between the amounts that payment providers accept, in minor units. In currencies
 * with three decimals, the third one has to be 0.
 */
export function getPaymentStepMinor(currency: string): number {
  return getCurrencyDecimals(currency) === 3 ? 10 : 1
}
