/** The labels of the site's parts, and their values as texts, as the desk shows them. */
import { isFixedPage } from '~/features/home/site-pages.server'
import {
  getKeyLabels,
  isTestKey,
  type KeyLabels,
} from '~/features/orders/payments/payment-settings.server'
import { formatCountry } from '~/features/orders/receipts/countries'
import { formatTaxRate, type TaxRates } from '~/features/orders/receipts/tax'
import { formatTimeZone } from '~/features/school/local-time'
import {
  findPageSlug,
  isSitePart,
  type SitePage,
  type SitePart,
  type SiteValues,
} from '~/server/site/site-values'
import { byCount, formatCount, formatNumber } from '~/ui/format-count'

const partLabels: Record<SitePart, string> = {
  name: 'Name',
  description: 'Description',
  accent: 'Accent color',
  logo: 'Logo',
  logoDark: 'Logo in the dark theme',
  icon: 'Icon',
  sharePicture: 'Share picture',
  seller: 'Seller',
  currency: 'Currency',
  timeZone: 'Time zone',
  setup: 'Questions of the first visit',
  taxRates: 'Tax rates',
  withdrawalDays: 'Withdrawal',
  refundDays: 'Refund requests',
  waiver: 'Waiver of the withdrawal',
  payments: 'Payments',
  sender: 'Sender of mail',
  home: 'Numbers and testimonials',
  hero: 'First section',
  features: 'How it works',
  categoryCards: 'Categories',
  testimonials: 'Testimonials',
  certificateNames: 'Corrected names on certificates',
  footer: 'Footer links',
}

/** Returns the name of a part as staff see it. */
export function getPartLabel(part: string): string {
  const slug = findPageSlug(part)
  if (slug) {
    return `Page ‘${slug}’`
  }

  return isSitePart(part) ? partLabels[part] : part
}

const defaultText = 'Learnify’s own'

const numberSources = { own: 'Learnify’s own', real: 'the school’s real ones', off: 'none' }
const testimonialSources = { own: 'as written', real: 'the latest reviews', off: 'none' }

const valueFormatters: { [Part in SitePart]: (value: SiteValues[Part]) => string } = {
  name: (name) => name,
  description: (description) => description,
  accent: ({ light, dark }) => `${light}, and ${dark} in the dark theme`,
  logo: ({ logo, width, height }) => `${logo}, ${width} × ${height} pixels`,
  logoDark: ({ logo, width, height }) => `${logo}, ${width} × ${height} pixels`,
  icon: ({ icon }) => icon,
  sharePicture: ({ share }) => share,
  seller: ({ name, address, taxId }) =>
    [name, ...address.split('\n'), taxId].filter(Boolean).join(', '),
  currency: (currency) => currency,
  timeZone: formatTimeZone,
  setup: (setup) => setup,
  taxRates: formatTaxRates,
  withdrawalDays: formatRefundPeriod,
  refundDays: formatRefundPeriod,
  waiver: ({ choice, text }) => (choice === 'off' ? 'no box' : `${choice}: ${text}`),
  payments: (payments) => formatPayments(payments, payments.keys && getKeyLabels(payments.keys)),
  sender: ({ name, address }) => `${name} <${address}>`,
  home: ({ numbers, testimonials }) =>
    `Numbers: ${numberSources[numbers]}. Testimonials: ${testimonialSources[testimonials]}.`,
  hero: ({ en: { title } }) => title,
  features: ({ en: { title, cards } }) => {
    const cardCount = cards.filter((card) => card !== null).length
    return `${title}: ${formatCount(cardCount, 'card', 'cards')}`
  },
  categoryCards: ({ en: { cards } }) => cards.map(({ name }) => name).join(', ') || 'none',
  testimonials: ({ en: entries }) => entries.map(({ name }) => name).join(', '),
  certificateNames: (choice) =>
    choice === 'learners' ? 'learners reissue certificates' : 'the school reissues certificates',
  footer: (columns) => {
    const titles = columns.map(({ title }) => title).join(', ')
    const linkCount = columns.flatMap(({ links }) => links).length

    return `${titles}: ${byCount(linkCount, '1 link', `${linkCount} links`)}`
  },
}

const paymentTexts = {
  off: 'off: courses are free',
  sample: 'sample payments, which move no money',
  stripe: 'Stripe',
}

/**
 * Formats how courses are paid for: 'Stripe in test mode, keys sk_test_...1234 and whsec_...5678'.
 */
export function formatPayments(
  { mode, isPaused = false }: Pick<SiteValues['payments'], 'mode' | 'isPaused'>,
  labels: KeyLabels | null,
): string {
  const isTest = mode === 'stripe' && labels !== null && isTestKey(labels.secretKey)
  const modeText = isTest ? 'Stripe in test mode' : paymentTexts[mode]
  const pauseText = isPaused ? 'paused, nothing can be bought; ' : ''
  const keysText = labels === null ? '' : `, keys ${labels.secretKey} and ${labels.webhookSecret}`

  return `${pauseText}${modeText}${keysText}`
}

function formatTaxRates(rates: TaxRates): string {
  const rateTexts = Object.entries(rates).map(([country, basisPoints]) => {
    const name = country === '*' ? 'other countries' : formatCountry(country)
    return `${name} ${formatTaxRate(basisPoints)}`
  })

  return rateTexts.length > 0 ? rateTexts.join(', ') : 'no tax'
}

function formatRefundPeriod(days: number): string {
  return days === 0 ? 'never' : byCount(days, '1 day', `${formatNumber(days)} days`)
}

/** Formats a value as one line, for lists and the audit log. Null stands for the default. */
export function formatValue(part: string, value: unknown): string {
  if (value === null) {
    const slug = findPageSlug(part)
    return slug && !isFixedPage(slug) ? 'No page' : defaultText
  }

  if (isSitePart(part)) {
    return (valueFormatters[part] as (value: unknown) => string)(value)
  }

  const { title, text } = value as SitePage
  return `${title}, ${formatNumber(text.length)} characters`
}
