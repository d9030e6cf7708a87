import { fixedPages, isFixedPage, sitePageUrl } from '~/features/home/site-pages.server'
import { cutPage, pageRows, readCursor } from '~/server/database/list-pages.server'
import { lacksMailServer, mailPlace } from '~/server/mail/mail.server'
import { accentContrast } from '~/server/site/accent'
import { brandPictureUrl } from '~/server/site/brand-files.server'
import {
  currentSite,
  listOverridingSettings,
  mailSender,
  refreshSite,
  siteAccent,
  siteCurrency,
  siteName,
  siteSeller,
} from '~/server/site/site.server'
import { footerLimits, type SitePart, type SiteValues, siteParts } from '~/server/site/site-values'
import type { DeskRequest } from '../desk-request.server'
import { getRestoreAction } from './site-actions.server'
import { type LastChange, listLastChanges, listVersions } from './site-changes.server'
import { partLabel, valueText } from './site-texts.server'

export async function loadSitePage({ db }: DeskRequest) {
  // Another process may have stored a change within the last second.
  await refreshSite(db)
  const accent = siteAccent()
  const { pages: _, ...values } = currentSite()
  const changes = await listLastChanges(db)

  return {
    values,
    texts: textsOf(values),
    siteName: siteName(),
    pages: listPages(changes),
    pictures: {
      logo: values.logo && brandPictureUrl(values.logo.logo),
      logoDark: values.logoDark && brandPictureUrl(values.logoDark.logo),
      icon: values.icon && brandPictureUrl(values.icon.icon),
      sharePicture: values.sharePicture && brandPictureUrl(values.sharePicture.share),
    },
    footerLimits,
    seller: siteSeller(),
    currency: siteCurrency(),
    currencies: Intl.supportedValuesOf('currency'),
    sender: mailSender(),
    mailPlace: mailPlace(),
    lacksMailServer,
    changes,
    accent,
    contrast: {
      light: accentContrast(accent.light, 'light'),
      dark: accentContrast(accent.dark, 'dark'),
    },
  }
}

/** Terms and privacy, then the owner's pages by title. */
function listPages(changes: Record<string, LastChange>) {
  const written = currentSite().pages
  const fixed = Object.entries(fixedPages).map(([slug, { title }]) => ({
    slug,
    title: written.get(slug)?.title ?? title,
  }))
  const further = [...written]
    .filter(([slug]) => !isFixedPage(slug))
    .map(([slug, { title }]) => ({ slug, title }))

  return [...fixed, ...further].map((page) => ({
    ...page,
    address: sitePageUrl(page.slug),
    isWritten: written.has(page.slug),
    change: changes[`page-${page.slug}`],
  }))
}

/** The name and the current value of each part, as texts. */
function textsOf(values: { [Part in SitePart]: SiteValues[Part] | null }) {
  const parts = Object.keys(siteParts) as SitePart[]
  const texts = parts.map((part) => [
    part,
    {
      name: partLabel(part),
      text: textOf(part, values[part]),
      settings: listOverridingSettings(part),
      restore: getRestoreAction(part),
    },
  ])

  return Object.fromEntries(texts) as Record<
    SitePart,
    {
      name: string
      text: string
      settings: readonly string[]
      restore: ReturnType<typeof getRestoreAction>
    }
  >
}

/** The value in effect, also if it comes from the operator's settings. */
function textOf(part: SitePart, value: unknown): string {
  if (part === 'seller') {
    return valueText(part, siteSeller())
  }

  if (part === 'currency') {
    return siteCurrency()
  }

  return part === 'sender' ? valueText(part, mailSender()) : valueText(part, value)
}

export async function loadSiteHistoryPage({ db, search }: DeskRequest) {
  const [versions, changes] = await Promise.all([
    listVersions(db, readCursor(search), pageRows + 1),
    listLastChanges(db),
  ])
  const { rows, next } = cutPage(versions)
  const shown = rows.map(({ value, ...row }) => ({
    ...row,
    label: partLabel(row.part),
    text: valueText(row.part, value),
    seen: changes[row.part]?.version ?? 0,
    restore: getRestoreAction(row.part),
  }))

  return { rows: shown, next }
}

export type SitePageData = NonNullable<Awaited<ReturnType<typeof loadSitePage>>>

export type SiteHistoryPageData = NonNullable<Awaited<ReturnType<typeof loadSiteHistoryPage>>>
