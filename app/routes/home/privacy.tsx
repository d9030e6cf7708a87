import { OperatorPage } from '~/features/home/operator-page'
import { readFixedPage } from '~/features/home/site-pages.server'
import { renderArticle } from '~/features/learning/markdown.server'
import { publicPageHeaders } from '~/server/cache/page-cache.server'
import { pageMeta } from '~/ui/page-meta'
import { ProseText } from '~/ui/prose-text'
import proseStyle from '~/ui/prose-text.css?url'
import type { Route } from './+types/privacy'

export const links = () => [{ rel: 'stylesheet', href: proseStyle }]

export function headers() {
  return publicPageHeaders()
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta({
    title: loaderData?.title,
    description: 'What this site stores about you, why, and how to download or delete it.',
    path: '/Privacy',
    matches,
  })

export async function loader() {
  const { title, text } = await readFixedPage('privacy')
  return { title, html: renderArticle(text).html }
}

export default function PrivacyRoute({ loaderData: { title, html } }: Route.ComponentProps) {
  return (
    <OperatorPage title={title}>
      <ProseText html={html} />
    </OperatorPage>
  )
}
