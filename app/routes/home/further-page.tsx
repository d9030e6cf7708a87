import { data } from 'react-router'
import { UnknownPage, unknownPageMeta } from '~/features/home/home-page'
import { getHome } from '~/features/home/home-queries.server'
import { OperatorPage } from '~/features/home/operator-page'
import { findFurtherPage, summarizePage } from '~/features/home/site-pages.server'
import { renderArticle } from '~/features/learning/markdown.server'
import { publicPageHeaders } from '~/server/cache/page-cache.server'
import { readPublic } from '~/server/database/read-replica.server'
import { pageMeta } from '~/ui/page-meta'
import { ProseText } from '~/ui/prose-text'
import proseStyle from '~/ui/prose-text.css?url'
import type { Route } from './+types/further-page'

export const links = () => [{ rel: 'stylesheet', href: proseStyle }]

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders

/** /Pages/SLUG: a page that the owner wrote at the desk, such as an imprint. */
export async function loader({ params }: Route.LoaderArgs) {
  const slug = params.slug.toLowerCase()
  const page = findFurtherPage(slug)
  if (!page) {
    return data({ page: null, home: await readPublic(getHome) }, { status: 404 })
  }

  const renderedPage = {
    slug,
    title: page.title,
    description: summarizePage(page),
    html: renderArticle(page.text).html,
  }

  return data({ page: renderedPage, home: null }, { headers: publicPageHeaders() })
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
