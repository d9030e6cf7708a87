/**
 * Loads the site page, on which an owner changes the parts of the site, and the history of these
 * changes.
 */
import { listSampleCourses } from '~/features/courses/sample-courses.server'
import { fixedPages, isFixedPage, sitePageUrl } from '~/features/home/site-pages.server'
import { findKeyLabels } from '~/features/orders/payments/payment-settings.server'
import { formatCountry, listCountries } from '~/features/orders/receipts/countries'
import { listTaxCountries, type TaxRates } from '~/features/orders/receipts/tax'
import {
  currentRefundPeriods,
  currentTaxRates,
  currentWaiverRule,
} from '~/features/orders/sale-rules.server'
import { listTimeZones } from '~/features/school/supported-time-zones.server'
import type { Database } from '~/server/database/client.server'
import { readCursor, rowsPerPage, toPage } from '~/server/database/list-pages.server'
import { describeMailDelivery, lacksMailServer } from '~/server/mail/mail.server'
import { getAccentContrast, type Scheme } from '~/server/site/accent'
import { brandPictureUrl } from '~/server/site/brand-files.server'
import {
  areSalesPaused,
  currentSite,
  listOverridingSettings,
  mailSender,
  paymentMode,
  refreshSite,
  siteAccent,
  siteCurrency,
  siteName,
  siteSeller,
  siteTimeZone,
} from '~/server/site/site.server'
import { footerLimits, type SitePart, type SiteValues, siteParts } from '~/server/site/site-values'
import type { DeskRequest } from '../desk-request.server'
import { currencyLockedReason, hasOrder } from './currency-change.server'
import { loadHomeTextForms } from './home-text-forms.server'
import { loadPaymentSummary } from './payment-summary.server'
import { type LastChange, listLastChanges, listVersions } from './site-changes.server'
import { getRestoreIntent } from './site-part-actions.server'
import { formatPayments, formatValue, getPartLabel } from './site-texts.server'

/** Loads everything that an owner can change about the site. */
export async function loadSitePage({ db }: DeskRequest) {
  // Another process may have stored a change within the last second.
  await refreshSite(db)

  const accent = siteAccent()
  // The stored keys of the payments stay on the server, although they are encrypted.
  const { pages: _, payments: __, ...values } = currentSite()
  const changes = await listLastChanges(db)

  return {
    values,
    parts: describeParts(values),
    siteName: siteName(),
    pages: listSitePages(changes),
    pictures: {
      logo: values.logo && brandPictureUrl(values.logo.logo),
      logoDark: values.logoDark && brandPictureUrl(values.logoDark.logo),
      icon: values.icon && brandPictureUrl(values.icon.icon),
      sharePicture: values.sharePicture && brandPictureUrl(values.sharePicture.share),
    },
    footerLimits,
    homeTexts: await loadHomeTextForms(db),
    seller: siteSeller(),
    currency: siteCurrency(),
    currencies: Intl.supportedValuesOf('currency'),
    sampleCourses: await countSampleCourses(db),
    timeZone: siteTimeZone(),
    timeZones: listTimeZones(siteTimeZone()),
    currencyLockedReason: (await hasOrder(db)) ? currencyLockedReason : undefined,
    taxRates: getTaxRateFields(currentTaxRates()),
    countries: listCountries().map(formatCountry),
    refundDays: currentRefundPeriods(),
    waiver: currentWaiverRule(),
    payments: await loadPaymentSummary(db),
    sender: mailSender(),
    mailDelivery: describeMailDelivery(),
    lacksMailServer,
    changes,
    accentFields: getAccentFields(values.accent),
    contrast: {
      light: getAccentContrast(accent.light, 'light'),
      dark: getAccentContrast(accent.dark, 'dark'),
    },
  }
}

/** Counts the sample courses that are published, and those that the desk has withdrawn. */
async function countSampleCourses(db: Database) {
  const sampleCourses = await listSampleCourses(db)

  return {
    published: sampleCourses.filter(({ published }) => published).length,
    withdrawn: sampleCourses.filter(({ isWithdrawnByDesk }) => isWithdrawnByDesk).length,
  }
}

/**
 * Returns what the fields of the accent color contain. The dark color stays empty if it is
 * calculated, so that it follows when the owner changes the light color.
 */
function getAccentFields(accent: SiteValues['accent'] | null): Record<Scheme, string> {
  if (accent === null) {
    return { light: '', dark: '' }
  }

  return { light: accent.light, dark: accent.isDarkCalculated ? '' : accent.dark }
}

/** Returns what the fields of the tax rates contain: names of countries, and percentages. */
function getTaxRateFields(rates: TaxRates) {
  const formatPercent = (basisPoints: number | undefined) =>
    basisPoints === undefined ? '' : String(basisPoints / 100)
  const rows = listTaxCountries(rates).map((code) => ({
    country: formatCountry(code),
    percent: formatPercent(rates[code]),
  }))

  return { rows, otherPercent: formatPercent(rates['*']) }
}

/** Lists the fixed pages, which are the terms and privacy, and then the owner's pages by title. */
function listSitePages(changes: Record<string, LastChange>) {
  const ownerPages = currentSite().pages
  const fixedRows = Object.entries(fixedPages).map(([slug, { title }]) => ({
    slug,
    title: ownerPages.get(slug)?.title ?? title,
  }))
  const ownerRows = [...ownerPages]
    .filter(([slug]) => !isFixedPage(slug))
    .map(([slug, { title }]) => ({ slug, title }))

  return [...fixedRows, ...ownerRows].map((page) => ({
    ...page,
    path: sitePageUrl(page.slug),
    hasOwnerText: ownerPages.has(page.slug),
    change: changes[`page-${page.slug}`],
  }))
}

type PartDescription = {
  name: string
  /** The current value as one line. */
  valueText: string
  /** The operator's settings that override this part. */
  overridingSettings: readonly string[]
  /** The intent of the form that undoes the last change, or null if changes can't be undone. */
  undoIntent: ReturnType<typeof getRestoreIntent>
}

function describeParts(values: Partial<{ [Part in SitePart]: SiteValues[Part] | null }>) {
  const parts = Object.keys(siteParts) as SitePart[]
  const descriptions = parts.map((part): [SitePart, PartDescription] => [
    part,
    {
      name: getPartLabel(part),
      valueText: describeCurrentValue(part, values[part] ?? null),
      overridingSettings: listOverridingSettings(part),
      undoIntent: getRestoreIntent(part),
    },
  ])

  return Object.fromEntries(descriptions) as Record<SitePart, PartDescription>
}

/** Describes the value in effect, which can also come from the operator's settings. */
function describeCurrentValue(part: SitePart, value: unknown): string {
  switch (part) {
    case 'seller':
      return formatValue(part, siteSeller())
    case 'currency':
      return siteCurrency()
    case 'payments':
      return formatPayments({ mode: paymentMode(), isPaused: areSalesPaused() }, findKeyLabels())
    case 'timeZone':
      return formatValue(part, siteTimeZone())
    case 'taxRates':
      return formatValue(part, currentTaxRates())
    case 'withdrawalDays':
      return formatValue(part, currentRefundPeriods().withdrawal)
    case 'refundDays':
      return formatValue(part, currentRefundPeriods().refund)
    case 'waiver':
      return formatValue(part, currentWaiverRule())
    case 'sender':
      return formatValue(part, mailSender())
    default:
      return formatValue(part, value)
  }
}

/** Loads a page of the stored versions of all parts, newest first. */
export async function loadSiteHistoryPage({ db, search }: DeskRequest) {
  const [versions, changes] = await Promise.all([
    listVersions(db, readCursor(search), rowsPerPage + 1),
    listLastChanges(db),
  ])
  const { rows, next } = toPage(versions)

  const versionRows = rows.map(({ value, ...row }) => ({
    ...row,
    label: getPartLabel(row.part),
    text: formatValue(row.part, value),
    latestVersion: changes[row.part]?.version ?? 0,
    restoreIntent: getRestoreIntent(row.part),
  }))

  return { rows: versionRows, next }
}

export type SitePageData = NonNullable<Awaited<ReturnType<typeof loadSitePage>>>

export type SiteHistoryPageData = NonNullable<Awaited<ReturnType<typeof loadSiteHistoryPage>>>
