import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { env, isSet } from '../env.server'
import { log } from '../operations/log.server'
import type { SettingName } from '../operations/settings/settings-schema.server'
import { type Accent, shippedAccent } from './accent'
import {
  findPageSlug,
  overridingSettings,
  parseSiteValue,
  type SitePage,
  type SitePart,
  type SiteValues,
} from './site-values'

/** What owners have set for their school at the desk. A part is null if they have not set it. */
type Site = { [Part in SitePart]: SiteValues[Part] | null } & {
  /** The school's own pages by slug, ordered by title. */
  pages: ReadonlyMap<string, SitePage>
}

const emptySite: Site = {
  name: null,
  description: null,
  accent: null,
  logo: null,
  logoDark: null,
  icon: null,
  sharePicture: null,
  seller: null,
  currency: null,
  timeZone: null,
  setup: null,
  taxRates: null,
  withdrawalDays: null,
  refundDays: null,
  waiver: null,
  payments: null,
  sender: null,
  home: null,
  hero: null,
  features: null,
  categoryCards: null,
  testimonials: null,
  certificateNames: null,
  footer: null,
  pages: new Map(),
}

let site: Site = emptySite

/**
 * Returns the values of the last read. Every process reads them again within a second of a change.
 */
export function currentSite(): Readonly<Site> {
  return site
}

export function siteName(): string {
  return site.name ?? 'Learnify'
}

/**
 * Returns whether Learnify's logo stands for the school: if it has neither a name nor a logo of its
 * own.
 */
export function usesLearnifyLogo(): boolean {
  return !site.name && !site.logo
}

export function siteAccent(): Accent {
  return site.accent ?? shippedAccent
}

/** Returns the operator's settings that override a part of the site. */
export function listOverridingSettings(part: SitePart): readonly SettingName[] {
  if (!Object.hasOwn(overridingSettings, part)) {
    return []
  }

  return overridingSettings[part as keyof typeof overridingSettings].filter(isSet)
}

function isOverridden(part: SitePart): boolean {
  return listOverridingSettings(part).length > 0
}

/**
 * Returns what owners have set, or null if they have not or if an operator's setting overrides it.
 */
export function findSiteValue<Part extends SitePart>(part: Part): Site[Part] {
  return isOverridden(part) ? null : site[part]
}

/** Returns the currency of prices as an ISO 4217 code. */
export function siteCurrency(): string {
  return findSiteValue('currency') ?? env.CURRENCY
}

/** Returns how courses are paid for: not at all, by sample payments, or by Stripe. */
export function paymentMode(): SiteValues['payments']['mode'] {
  return findSiteValue('payments')?.mode ?? env.PAYMENTS
}

/**
 * Returns whether an owner has paused sales. Courses with a price then can't be bought and are not
 * given away either, and buyers still get their money back.
 */
export function areSalesPaused(): boolean {
  return findSiteValue('payments')?.isPaused ?? false
}

/**
 * Returns the IANA name of the time zone in which the school's days begin and end. A learner's own
 * dates are in the learner's time zone.
 */
export function siteTimeZone(): string {
  return site.timeZone ?? 'UTC'
}

/** Returns the seller for new receipts. Issued receipts keep theirs. */
export function siteSeller(): SiteValues['seller'] {
  if (isOverridden('seller')) {
    return {
      name: env.SELLER_NAME,
      address: env.SELLER_ADDRESS.split(/ *; */).join('\n'),
      taxId: env.SELLER_TAX_ID,
    }
  }

  return site.seller ?? { name: siteName(), address: '', taxId: '' }
}

/** Returns the name and email address that emails are sent from. */
export function mailSender(): SiteValues['sender'] {
  const operatorSender = parseSender(env.MAIL_FROM)
  if (isOverridden('sender')) {
    return operatorSender
  }

  return site.sender ?? { name: siteName(), address: operatorSender.address }
}

/** Parses a sender such as `"My School" <mail@school.example>`. The name may be missing. */
function parseSender(text: string): SiteValues['sender'] {
  const [, name = '', address = text] = /^(.*?)\s*<(.*)>$/.exec(text) ?? []
  return { name: name.replace(/^"(.*)"$/, '$1'), address }
}

/** Returns whether learners may reissue their certificates after they have corrected their name. */
export function canLearnersReissueCertificates(): boolean {
  return site.certificateNames === 'learners'
}

type RefreshListener = () => Promise<void>
const refreshListeners = new Set<RefreshListener>()

/**
 * Calls a function after each read of the values, which may have changed.
 *
 * @returns a function that stops the calls
 */
export function onSiteRefresh(listener: RefreshListener): () => void {
  refreshListeners.add(listener)
  return () => refreshListeners.delete(listener)
}

let lastStartedRefresh = 0
let lastFinishedRefresh = 0

type StoredValue = { part: string; value: unknown }

/** Reads the values from the database. From then on, content, pages and emails use them. */
export async function refreshSite(db: Pick<NodePgDatabase, 'execute'>): Promise<void> {
  lastStartedRefresh += 1
  const refreshNumber = lastStartedRefresh

  const { rows } = await db.execute<StoredValue>(sql`
    select distinct on (part) part, value
    from site_versions
    order by part, version desc
  `)

  // A refresh that started later may have finished first. Its values are newer.
  if (refreshNumber < lastFinishedRefresh) {
    return
  }

  lastFinishedRefresh = refreshNumber
  site = createSite(rows)
  await Promise.all([...refreshListeners].map((listener) => listener()))
}

/**
 * These values replace payments that can't be read. With no payments at all, all courses would be
 * free.
 */
const pausedPayments: SiteValues['payments'] = { mode: 'stripe', isPaused: true, keys: null }

/**
 * Creates the site from its stored values, without those that this version of Learnify can't read.
 */
function createSite(storedValues: readonly StoredValue[]): Site {
  const values: Record<string, unknown> = {}
  const pages: [slug: string, SitePage][] = []

  for (const { part, value: storedValue } of storedValues) {
    const value = parseSiteValue(part, storedValue)
    const slug = findPageSlug(part)
    if (value === null && storedValue !== null) {
      log.warn({ part }, 'a value of the site can’t be read by this version of Learnify')
      if (part === 'payments') {
        values[part] = pausedPayments
      }
    } else if (slug === null) {
      values[part] = value
    } else if (value !== null) {
      pages.push([slug, value as SitePage])
    }
  }

  const pagesByTitle = pages.toSorted(([, one], [, other]) => one.title.localeCompare(other.title))
  return { ...emptySite, ...values, pages: new Map(pagesByTitle) }
}
