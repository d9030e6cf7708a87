import { isFixedPage, pageAddress, readFixedPage } from '~/features/home/site-pages.server'
import { renderArticle } from '~/features/learning/markdown.server'
import type { Transaction } from '~/server/database/client.server'
import { StartError } from '~/server/env.server'
import { currentSite, refreshSite } from '~/server/site/site.server'
import {
  longestSlug,
  longestText,
  mostPages,
  readValue,
  type SitePage,
  slugOf,
} from '~/server/site/site-values'
import type { DeskAction, DeskActionRequest, TransactionDeskAction } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { restoreActs, seenIn, textOf } from './site-acts.server'
import { changeSite, findLatest, listLastChanges } from './site-changes.server'

/** The address of the form for a new page. */
const newSlug = 'new'

/**
 * The slug in the address, or in the form for a new page.
 *
 * @throws {StartError} if it isn't allowed.
 */
function requireSlug({ params, form }: DeskActionRequest): string {
  const slug = params.slug === newSlug ? textOf(form, 'slug').toLowerCase() : (params.slug ?? '')
  if (slugOf(`page-${slug}`) && slug !== newSlug) {
    return slug
  }

  throw new StartError('Write an address in lowercase letters, digits and hyphens, like imprint.')
}

async function save(call: DeskActionRequest) {
  const { transaction, form, staff, params } = call
  const slug = requireSlug(call)
  const value = readValue(`page-${slug}`, typedPage(form))
  if (value === null) {
    throw new StartError('Write a title of at most 80 characters, and a text of at most 100,000.')
  }

  const { pages } = currentSite()
  if (!pages.has(slug) && pages.size >= mostPages) {
    throw new StartError(`A school has at most ${mostPages} pages.`)
  }

  const isNew = params.slug === newSlug
  const seen = isNew ? await findRemovedVersion(transaction, slug) : seenIn(form)
  const changed = await changeSite(transaction, {
    part: `page-${slug}`,
    value,
    seen,
    by: staff.uid,
  })

  return isNew ? { ...changed, onward: `/Desk/Site/Pages/${slug}` } : changed
}

/** The last version of a page that was removed, or 0. @throws {StartError} if there is a page. */
async function findRemovedVersion(transaction: Transaction, slug: string): Promise<number> {
  const latest = await findLatest(transaction, `page-${slug}`)
  if (isFixedPage(slug) || (latest && latest.value !== null)) {
    throw new StartError(
      `There is a page at ${pageAddress(slug)} already. Open it under Site to change it.`,
    )
  }

  return latest?.version ?? 0
}

async function remove(call: DeskActionRequest) {
  const { transaction, form, staff } = call
  return changeSite(transaction, {
    part: `page-${requireSlug(call)}`,
    value: null,
    seen: seenIn(form),
    by: staff.uid,
  })
}

const typedPage = (form: FormData): SitePage => ({
  title: textOf(form, 'title'),
  text: textOf(form, 'text').replaceAll('\r\n', '\n'),
  inFooter: form.get('footer') === 'on',
})

const act = (run: TransactionDeskAction['run']): TransactionDeskAction => ({
  name: 'site page',
  permission: 'run the site',
  isSensitive: false,
  run,
})

/** Writes a page in Markdown. */
export const siteTextActions = {
  page: act(save),
  remove: act(remove),
  restore: restoreActs.restore,
} satisfies Record<string, DeskAction>

export function siteTextPreview(form: FormData): string {
  return renderArticle(typedPage(form).text.slice(0, longestText)).html
}

export async function loadSiteTextPage({ db, params: { slug = '' } }: DeskRequest) {
  const part = `page-${slug}`
  if (!slugOf(part)) {
    return null
  }

  await refreshSite(db)
  const { [part]: change } = await listLastChanges(db)
  const written = currentSite().pages.get(slug)
  const page = isFixedPage(slug) ? await readFixedPage(slug) : written
  if (slug !== newSlug && !page && !change) {
    return null
  }

  return {
    part,
    isNew: slug === newSlug,
    isFixed: isFixedPage(slug),
    isWritten: written !== undefined,
    address: pageAddress(slug),
    page: page ?? { title: '', text: '', inFooter: true },
    change,
    longestSlug,
  }
}

export type SiteTextPageData = NonNullable<Awaited<ReturnType<typeof loadSiteTextPage>>>
