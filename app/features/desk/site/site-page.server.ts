import { accentContrast } from '~/server/site/accent'
import { pictureAddress } from '~/server/site/brand-files.server'
import { currentSite, refreshSite, siteAccent, siteName } from '~/server/site/site.server'
import { footerLimits, type SitePart, type SiteValues, siteParts } from '~/server/site/site-values'
import { deskPage } from '../desk-page.server'
import { cutPage, pageRows, readCursor } from '../list-pages.server'
import { siteActs } from './site-acts.server'
import { listLastChanges, listVersions } from './site-changes.server'
import { partLabel, valueText } from './site-texts.server'

export const sitePage = deskPage({
  path: 'Site',
  permission: 'run the site',
  acts: siteActs,
  async load({ db }) {
    // An owner sees what another process has just stored.
    await refreshSite(db)
    const accent = siteAccent()
    const values = currentSite()
    return {
      values,
      texts: textsOf(values),
      siteName: siteName(),
      pictures: {
        logo: values.logo && pictureAddress(values.logo.logo),
        logoDark: values.logoDark && pictureAddress(values.logoDark.logo),
        icon: values.icon && pictureAddress(values.icon.icon),
        sharePicture: values.sharePicture && pictureAddress(values.sharePicture.share),
      },
      footerLimits,
      changes: await listLastChanges(db),
      accent,
      contrast: { light: accentContrast(accent.light, 'light'), dark: accentContrast(accent.dark, 'dark') },
    }
  },
})

/** What each part is called, and how it is. */
function textsOf(values: { [Part in SitePart]: SiteValues[Part] | null }) {
  const parts = Object.keys(siteParts) as SitePart[]
  const texts = parts.map((part) => [part, { name: partLabel(part), text: valueText(part, values[part]) }])
  return Object.fromEntries(texts) as Record<SitePart, { name: string; text: string }>
}

export const siteHistoryPage = deskPage({
  path: 'Site/History',
  permission: 'run the site',
  acts: { restore: siteActs.restore },
  async load({ db, search }) {
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
    }))
    return { rows: shown, next }
  },
})
