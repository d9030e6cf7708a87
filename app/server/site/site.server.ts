import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { env, isSet } from '../env.server'
import { log } from '../operations/log.server'
import type { SettingName } from '../operations/settings/settings-schema.server'
import { type Accent, shippedAccent } from './accent'
import {
  findPageSlug,
  overridingSettings,
  readValue,
  type SitePage,
  type SitePart,
  type SiteValues,
} from './site-values'

/** What owners have set at the desk. A part that is null has Learnify's own value. */
type Site = { [Part in SitePart]: SiteValues[Part] | null } & {
  /** The school's own pages by slug, ordered by title. */
  pages: ReadonlyMap<string, SitePage>
}

const shippedSite: Site = {
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

let site: Site = shippedSite

/** Returns the values of the last read. Every process reads them again within a second of a change. */
export function currentSite(): Readonly<Site> {
  return site
}

export function siteName(): string {
  return site.name ?? 'Learnify'
}

/** Returns whether Learnify's mark stands beside the name: only without an own name and logo. */
export function hasShippedMark(): boolean {
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

/** Returns what owners have set, or null if they have not or if an operator's setting overrides it. */
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
  const [, name = '', address = env.MAIL_FROM] = /^(.*?)\s*<(.*)>$/.exec(env.MAIL_FROM) ?? []
  if (isOverridden('sender')) {
    return { name: name.replace(/^"(.*)"$/, '$1'), address }
  }

  return site.sender ?? { name: siteName(), address }
}

/** Returns whether learners may reissue their certificates after they have corrected their name. */
export function canLearnersReissueCertificates(): boolean {
  return site.certificateNames === 'learners'
}

type SiteFollower = () => Promise<void>
const followers = new Set<SiteFollower>()

/**
 * Calls a function after each read of the values, which may have changed.
 *
 * @returns a function that stops the calls
 */
export function followSite(follower: SiteFollower): () => void {
  followers.add(follower)
  return () => followers.delete(follower)
}

let startedReads = 0
let newestFinishedRead = 0

/** Reads the values from the database. From then on, content, pages and emails use them. */
export async function refreshSite(db: Pick<NodePgDatabase, 'execute'>): Promise<void> {
  startedReads += 1
  const read = startedReads
  const { rows } = await db.execute<{ part: string; value: unknown }>(sql`
    select distinct on (part) part, value
    from site_versions
    order by part, version desc
  `)

  // A read that started later may have finished first. Its values are newer.
  if (read < newestFinishedRead) {
    return
  }

  newestFinishedRead = read
  const values = rows.flatMap(({ part, value }) => readPart(part, value))
  const pages = values.flatMap(([part, value]): [string, SitePage][] => {
    const slug = findPageSlug(part)
    return slug ? [[slug, value as SitePage]] : []
  })
  const pagesByTitle = pages.toSorted(([, one], [, other]) => one.title.localeCompare(other.title))
  site = { ...shippedSite, ...Object.fromEntries(values), pages: new Map(pagesByTitle) }

  await Promise.all([...followers].map((follower) => follower()))
}

/** Returns the part and its value as an entry, or nothing if the value is null or not allowed. */
function readPart(part: string, storedValue: unknown): [string, unknown][] {
  if (storedValue === null) {
    return []
  }

  const value = readValue(part, storedValue)
  if (value === null) {
    log.warn({ part }, 'a part of the site is of another version of Learnify, and is left out')
    return []
  }

  return [[part, value]]
}
