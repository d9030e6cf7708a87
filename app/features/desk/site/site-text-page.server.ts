/**
 * The desk page on which an owner edits one page of the site: its actions, its preview and its
 * loader.
 *
 * A fixed page of the site, such as the terms, exists in every school, with a text of Learnify's
 * own until an owner writes another one. All other pages are written by owners.
 */
import { isFixedPage, readFixedPage, sitePageUrl } from '~/features/home/site-pages.server'
import { renderArticle } from '~/features/learning/markdown.server'
import type { Transaction } from '~/server/database/client.server'
import { findArticleSizeProblem } from '~/server/markdown/article-analysis.server'
import { writeFormulasAsText } from '~/server/markdown/formula-text.server'
import { failure, type Result, success } from '~/server/result'
import { currentSite, refreshSite } from '~/server/site/site.server'
import {
  findPageSlug,
  maxPages,
  maxSlugLength,
  maxTextLength,
  parseSiteValue,
  type SitePage,
} from '~/server/site/site-values'
import { formatNumber } from '~/ui/format-count'
import {
  type DeskAction,
  type DeskChangeRequest,
  type DeskChangeResult,
  readText,
} from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { changeSite, findLatestVersion, listLastChanges } from './site-changes.server'
import { createSiteAction, readSeenVersion, restoreActions } from './site-part-actions.server'

/** The slug in the desk's URL of the form for a new page. No page of the site can have it. */
const newPageSlug = 'new'

/** The actions of the desk page, by the intents of its forms. */
export const siteTextActions = {
  page: createPageAction(savePage),
  remove: createPageAction(removePage),
  restore: restoreActions.restore,
} satisfies Record<string, DeskAction>

function createPageAction(
  change: (request: DeskChangeRequest) => Promise<Result<DeskChangeResult>>,
): DeskAction {
  return createSiteAction({ name: 'site page', needsRecentSignIn: false }, change)
}

async function savePage(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const { transaction, staff, params } = request
  const slug = readSlug(request)
  if (!slug.ok) {
    return slug
  }

  const part = `page-${slug.value}`
  const page = readPage(request)
  const value = parseSiteValue(part, page)
  if (value === null) {
    const maxLength = formatNumber(maxTextLength)
    return failure(`Write a title of at most 80 characters, and a text of at most ${maxLength}.`)
  }

  const sizeProblem = findArticleSizeProblem(page.text)
  if (sizeProblem) {
    return failure(sizeProblem)
  }

  const { pages } = currentSite()
  if (!pages.has(slug.value) && pages.size >= maxPages) {
    return failure(`A school has at most ${maxPages} pages.`)
  }

  const isNew = params.slug === newPageSlug
  const seenVersion = isNew
    ? await findRemovedVersion(transaction, slug.value)
    : readSeenVersion(request)
  if (!seenVersion.ok) {
    return seenVersion
  }

  const change = { part, value, seenVersion: seenVersion.value, ownerUid: staff.uid }
  const result = await changeSite(transaction, change)
  if (!result.ok || !isNew) {
    return result
  }

  return success({ ...result.value, redirectTo: `/Desk/Site/Pages/${slug.value}` })
}

/** Returns the slug in the URL or, for a new page, in the form. */
function readSlug(request: DeskChangeRequest): Result<string> {
  const { slug: slugInUrl = '' } = request.params
  const slug = slugInUrl === newPageSlug ? readText(request, 'slug').toLowerCase() : slugInUrl
  const isValidSlug = findPageSlug(`page-${slug}`) !== null && slug !== newPageSlug
  if (!isValidSlug) {
    return failure(
      'Write an address in lowercase letters, digits and hyphens, like imprint.',
      'slug',
    )
  }

  return success(slug)
}

/**
 * Returns the latest version of a page that was removed, or 0 if there never was such a page. Fails
 * if the page exists.
 */
async function findRemovedVersion(transaction: Transaction, slug: string): Promise<Result<number>> {
  const latestVersion = await findLatestVersion(transaction, `page-${slug}`)
  const hasOwnerText = latestVersion !== null && latestVersion.value !== null
  if (isFixedPage(slug) || hasOwnerText) {
    return failure(
      `There is a page at ${sitePageUrl(slug)} already. Open it under Site to change it.`,
      'slug',
    )
  }

  return success(latestVersion?.version ?? 0)
}

/**
 * Removes the owner's text. A fixed page then shows Learnify's own text, and any other page no
 * longer exists.
 */
async function removePage(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const slug = readSlug(request)
  if (!slug.ok) {
    return slug
  }

  const seenVersion = readSeenVersion(request)
  if (!seenVersion.ok) {
    return seenVersion
  }

  return changeSite(request.transaction, {
    part: `page-${slug.value}`,
    value: null,
    seenVersion: seenVersion.value,
    ownerUid: request.staff.uid,
  })
}

function readPage(request: { form: FormData }): SitePage {
  return {
    // The browser's tab can't draw the formulas of a title.
    title: writeFormulasAsText(readText(request, 'title')),
    text: readText(request, 'text').replaceAll('\r\n', '\n'),
    inFooter: request.form.get('footer') === 'on',
  }
}

/** Renders the text of the form as HTML, without storing anything. */
export function renderSiteTextPreview(form: FormData): string {
  const { text } = readPage({ form })
  return renderArticle(text.slice(0, maxTextLength)).html
}

/** Loads the desk page. Returns null if the site never had such a page. */
export async function loadSiteTextPage({ db, params: { slug = '' } }: DeskRequest) {
  const part = `page-${slug}`
  if (!findPageSlug(part)) {
    return null
  }

  await refreshSite(db)
  const { [part]: lastChange } = await listLastChanges(db)
  const ownerPage = currentSite().pages.get(slug)
  // `readFixedPage` prefers the owner's text, too.
  const page = isFixedPage(slug) ? await readFixedPage(slug) : ownerPage
  const isNew = slug === newPageSlug
  if (!isNew && !page && !lastChange) {
    return null
  }

  return {
    part,
    isNew,
    isFixed: isFixedPage(slug),
    hasOwnerText: ownerPage !== undefined,
    publicPath: sitePageUrl(slug),
    page: page ?? { title: '', text: '', inFooter: true },
    lastChange,
    maxSlugLength,
  }
}

export type SiteTextPageData = NonNullable<Awaited<ReturnType<typeof loadSiteTextPage>>>
