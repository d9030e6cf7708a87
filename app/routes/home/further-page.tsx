import { data } from 'react-router'
import { UnknownPage, unknownPageMeta } from '~/features/home/home-page'
import { getHome } from '~/features/home/home-queries.server'
import { OperatorPage } from '~/features/home/operator-page'
import { findFurtherPage, summarizePage } from '~/features/home/site-pages.server'
import { renderArticle } from '~/features/learning/markdown.server'
import { publicPage } from '~/server/cache/cache-public-pages.server'
import { readPublic } from '~/server/database/read-replica.server'
import { pageMeta } from '~/ui/page-meta'
import { ProseText } from '~/ui/prose-text'
import proseStyle from '~/ui/prose-text.css?url'
import type { Route } from './+types/further-page'

export const links = () => [{ rel: 'stylesheet', href: proseStyle }]

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders

/** A page that the owner wrote at the desk, like an imprint. */
export async function loader({ params: { slug } }: Route.LoaderArgs) {
  const page = findFurtherPage(slug.toLowerCase())
  if (!page) {
    return data({ page: null, home: await readPublic(getHome) }, { status: 404 })
  }

  const { title, text } = page
  const shown = {
    slug: slug.toLowerCase(),
    title,
    description: summarizePage(page),
    html: renderArticle(text).html,
  }

  return data({ page: shown, home: null }, { headers: publicPage() })
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData?.page) {
    return pageMeta({ ...unknownPageMeta, matches })
  }

  const { slug, title, description } = loaderData.page
  return pageMeta({ title, description, path: `/Pages/${slug}`, matches })
}

export default function FurtherPageRoute({ loaderData: { page, home } }: Route.ComponentProps) {
  if (!page) {
    return <UnknownPage home={home} />
  }

  return (
    <OperatorPage title={page.title}>
      <ProseText html={page.html} />
    </OperatorPage>
  )
}
