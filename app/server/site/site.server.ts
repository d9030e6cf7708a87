import { eq, sql } from 'drizzle-orm'
import type { Database } from '../database/client.server'
import { sitePictures } from '../database/schema'
import { env, isSet } from '../env.server'
import { log } from '../operations/log.server'
import type { SettingName } from '../operations/settings/settings-schema.server'
import { type Accent, shippedAccent } from './accent'
import {
  readValue,
  type SitePage,
  type SitePart,
  type SiteValues,
  settingsOfParts,
  slugOf,
} from './site-values'

/** The values that owners have set. Null is Learnify's own. */
type Site = { [Part in SitePart]: SiteValues[Part] | null } & {
  /** By slug, ordered by title. */
  pages: ReadonlyMap<string, SitePage>
}

const shipped: Site = {
  name: null,
  description: null,
  accent: null,
  logo: null,
  logoDark: null,
  icon: null,
  sharePicture: null,
  seller: null,
  currency: null,
  sender: null,
  home: null,
  footer: null,
  pages: new Map(),
}

let known: Site = shipped

/** The values of the last read. Every process reads again within a second of a change. */
export const currentSite = (): Readonly<Site> => known

export const siteName = (): string => known.name ?? 'Learnify'

/**
 * Whether Learnify's mark stands beside the name. A school with its own name or logo doesn't get
 * it.
 */
export const hasShippedMark = (): boolean => !known.name && !known.logo

export const siteAccent = (): Accent => known.accent ?? shippedAccent

/** The operator's settings that override this part. */
export function settingsInPlaceOf(part: SitePart): readonly SettingName[] {
  return Object.hasOwn(settingsOfParts, part)
    ? settingsOfParts[part as keyof typeof settingsOfParts].filter(isSet)
    : []
}

const isFree = (part: SitePart) => settingsInPlaceOf(part).length === 0

/** ISO 4217. */
export const siteCurrency = (): string =>
  known.currency && isFree('currency') ? known.currency : env.CURRENCY

/** The seller for new receipts. Issued receipts keep theirs. */
export function siteSeller(): SiteValues['seller'] {
  if (!isFree('seller')) {
    return {
      name: env.SELLER_NAME,
      address: env.SELLER_ADDRESS.split(/ *; */).join('\n'),
      taxId: env.SELLER_TAX_ID,
    }
  }

  return known.seller ?? { name: siteName(), address: '', taxId: '' }
}

/** The sender of mail, as an address with a name. */
export function mailSender(): SiteValues['sender'] {
  const [, name = '', address = env.MAIL_FROM] = /^(.*?)\s*<(.*)>$/.exec(env.MAIL_FROM) ?? []
  if (!isFree('sender')) {
    return { name: name.replace(/^"(.*)"$/, '$1'), address }
  }

  return known.sender ?? { name: siteName(), address }
}

export type SiteLogo = { bytes: Buffer; width: number; height: number; isWide: boolean }

/** @param background the background of the logo. */
export async function findSiteLogo(
  db: Database,
  background: 'light' | 'dark' = 'light',
): Promise<SiteLogo | null> {
  if (!known.logo) {
    return null
  }

  const { logo, width, height } = (background === 'dark' && known.logoDark) || known.logo
  const [picture] = await db.select().from(sitePictures).where(eq(sitePictures.name, logo))

  return picture ? { bytes: picture.bytes, width, height, isWide: isWide({ width, height }) } : null
}

/** A wide logo replaces the name. Other logos stand beside it. */
export const isWide = ({ width, height }: { width: number; height: number }) => width > height * 1.5

let begun = 0
let latest = 0

/** Reads the values again. From then on, content, pages and mail use them. */
export async function refreshSite(db: Pick<Database, 'execute'>): Promise<void> {
  begun += 1
  const reading = begun
  const { rows } = await db.execute<{ part: string; value: unknown }>(sql`
    select distinct on (part) part, value from site_versions order by part, version desc`)
  // A later read has finished first, and has newer values.
  if (reading < latest) {
    return
  }

  latest = reading
  const values = rows.flatMap(({ part, value }) => readPart(part, value))
  const pages = values.flatMap(([part, value]): [string, SitePage][] => {
    const slug = slugOf(part)
    return slug ? [[slug, value as SitePage]] : []
  })
  const byTitle = pages.toSorted(([, one], [, other]) => one.title.localeCompare(other.title))
  known = { ...shipped, ...Object.fromEntries(values), pages: new Map(byTitle) }
}

function readPart(part: string, stored: unknown): [string, unknown][] {
  if (stored === null) {
    return []
  }

  const value = readValue(part, stored)
  if (value !== null) {
    return [[part, value]]
  }

  log.warn({ part }, 'a part of the site is of another version of Learnify, and is left out')

  return []
}
