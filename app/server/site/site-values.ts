import * as z from 'zod'
import type { SettingName } from '../operations/settings/settings-schema.server'
import { line } from '../validation/content-fields'

const color = z.string().regex(/^#[0-9a-f]{6}$/)
/** A URL on this site or another one. */
const linkUrl = z
  .string()
  .max(300)
  .regex(/^(#|\/(?!\/)\S*|https?:\/\/\S+|mailto:\S+@\S+)$/i)

export const footerLimits = { columns: 3, links: 8 } as const

const name = line(60).regex(/^[^<>]*$/, 'Leave out < and >.')
const link = z.object({ label: line(60), to: linkUrl })
const footerColumn = z.object({
  title: line(40),
  links: z
    .array(link)
    .max(footerLimits.links)
    .refine((links) => areDifferent(links.map(({ label }) => label))),
})

/**
 * `own` shows the texts of the site or else Learnify's samples, `real` what is in the school's
 * database, and `off` nothing.
 */
const homeChoice = z.enum(['own', 'real', 'off'])

export const maxRefundPeriodDays = 3_650
const refundPeriodDays = z.int().min(0).max(maxRefundPeriodDays)
export const maxWaiverLength = 1_000

/**
 * A key of the payment provider. The label names the key without revealing it, like
 * `sk_test_...1234`.
 */
const storedKey = z.object({ encrypted: z.string().max(2_000), label: z.string().max(40) })

/**
 * Returns whether JavaScript knows a time zone by this name. Offsets such as '+05:30' are no names,
 * because PostgreSQL reads their sign the other way round.
 */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }))
  } catch {
    return false
  }
}

function areDifferent(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length
}

/** Returns the schema of a part with texts by language. So far, all screens are in English. */
function byLanguage<Texts extends z.ZodType>(texts: Texts) {
  return z.object({ en: texts })
}

export const homeLimits = { featureCards: 6, categoryCards: 8, testimonials: 8 } as const

const hero = z.object({ title: line(120), text: line(300) })
const featureCard = z.object({ title: line(60), text: line(300) })
const features = z.object({
  title: line(80),
  /** Each place has its own icon and picture, so a card that is left out is null. */
  cards: z.array(featureCard.nullable()).length(homeLimits.featureCards),
})
const categoryCard = z.object({
  name: line(40),
  /** The ID of a category, or null for the whole catalog. */
  category: z.string().max(80).nullable(),
  /** The name of a Lucide icon. */
  icon: z.string().regex(/^[a-z0-9-]{1,40}$/),
})
const categoryCards = z.object({
  title: line(80),
  text: line(300),
  cards: z.array(categoryCard).max(homeLimits.categoryCards),
})
const testimonials = z
  .array(
    z.object({
      rating: z.int().min(1).max(5),
      text: line(600),
      name: line(80),
      role: line(80),
    }),
  )
  .min(1)
  .max(homeLimits.testimonials)

/** The name of a row of `site_pictures`. */
const pictureName = z.string().regex(/^[a-z]+-[0-9a-f]{16}\.(png|jpg)$/)
const logo = z.object({ logo: pictureName, width: z.int().positive(), height: z.int().positive() })

/** The parts of the site that an owner can set at the desk, with their allowed values. */
export const siteParts = {
  name,
  description: line(200),
  /** `isDarkCalculated` is true if the owner left the dark color empty. */
  accent: z.object({ light: color, dark: color, isDarkCalculated: z.optional(z.boolean()) }),
  logo,
  logoDark: logo,
  /** `touch` is for home screens of phones. */
  icon: z.object({ icon: pictureName, touch: pictureName }),
  sharePicture: z.object({ share: pictureName }),
  seller: z.object({
    name: line(120),
    address: z.string().trim().max(500),
    taxId: z.string().trim().max(60),
  }),
  currency: z.string().refine((code) => Intl.supportedValuesOf('currency').includes(code)),
  /** Whether an owner has answered or skipped the questions of the first visit. */
  setup: z.enum(['answered', 'skipped']),
  /** The IANA name of the zone in which the school's days begin and end. */
  timeZone: z.string().max(60).refine(isTimeZone),
  /**
   * The tax by country (ISO 3166-1 alpha-2) in hundredths of a percent. `*` is every other country.
   */
  taxRates: z.record(z.string().regex(/^([A-Z]{2}|\*)$/), z.int().min(0).max(9_999)),
  withdrawalDays: refundPeriodDays,
  refundDays: refundPeriodDays,
  /** The box at checkout by which buyers give up the right of withdrawal. */
  waiver: z.object({
    choice: z.enum(['off', 'optional', 'required']),
    text: z.string().trim().min(1).max(maxWaiverLength),
  }),
  /**
   * How courses are paid for. While sales are paused, the provider still receives earlier payments
   * and sends refunds. The keys of Stripe stay in every mode until an owner removes them.
   */
  payments: z
    .object({
      mode: z.enum(['off', 'sample', 'stripe']),
      isPaused: z.optional(z.boolean()),
      keys: z.object({ secretKey: storedKey, webhookSecret: storedKey }).nullable(),
    })
    .refine(({ mode, isPaused, keys }) => mode !== 'stripe' || isPaused || keys !== null)
    .refine(({ mode, isPaused }) => mode !== 'off' || !isPaused),
  sender: z.object({
    name: line(80).regex(/^[^<>"]*$/),
    address: z.email().max(254),
  }),
  home: z.object({ numbers: homeChoice, testimonials: homeChoice }),
  /** The first section of Home. */
  hero: byLanguage(hero),
  /** The section 'How it works' of Home. */
  features: byLanguage(features),
  categoryCards: byLanguage(categoryCards),
  testimonials: byLanguage(testimonials),
  /** Who corrects the name on an issued certificate: the school, or learners by themselves. */
  certificateNames: z.enum(['school', 'learners']),
  footer: z
    .array(footerColumn)
    .max(footerLimits.columns)
    .refine((columns) => areDifferent(columns.map(({ title }) => title))),
} satisfies Record<string, z.ZodType>

export const maxTextLength = 100_000
/** The terms, the privacy policy or another page, in Markdown. */
const sitePage = z.object({
  title: line(80),
  text: z.string().trim().min(1).max(maxTextLength),
  inFooter: z.boolean(),
})
export type SitePage = z.output<typeof sitePage>

const pagePart = /^page-([a-z0-9]+(?:-[a-z0-9]+)*)$/
export const maxSlugLength = 40
export const maxPages = 50

/** Returns the slug of a page, such as 'imprint', or null if the part is not a page. */
export function findPageSlug(part: string): string | null {
  const [, slug = ''] = pagePart.exec(part) ?? []
  return slug && slug.length <= maxSlugLength ? slug : null
}

export type SitePart = keyof typeof siteParts
export type SiteValues = { [Part in SitePart]: z.output<(typeof siteParts)[Part]> }

/** The operator's settings that override a part, so that owners can't change it. */
export const overridingSettings = {
  seller: ['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_TAX_ID'],
  currency: ['CURRENCY'],
  taxRates: ['TAX_RATES'],
  withdrawalDays: ['WITHDRAWAL_DAYS'],
  refundDays: ['REFUND_DAYS'],
  waiver: ['WITHDRAWAL_WAIVER', 'WITHDRAWAL_WAIVER_TEXT'],
  payments: ['PAYMENTS', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  sender: ['MAIL_FROM'],
} as const satisfies Partial<Record<SitePart, readonly SettingName[]>>

/** Parts whose values name rows of `site_pictures`. */
export const pictureParts: readonly string[] = [
  'logo',
  'logoDark',
  'icon',
  'sharePicture',
] satisfies SitePart[]

export function isSitePart(part: string): part is SitePart {
  return Object.hasOwn(siteParts, part)
}

/** Returns the value, or null if it isn't allowed for this part. */
export function parseSiteValue(part: string, value: unknown): unknown {
  const pageSchema = findPageSlug(part) ? sitePage : null
  const schema = isSitePart(part) ? siteParts[part] : pageSchema
  return schema?.safeParse(value).data ?? null
}
