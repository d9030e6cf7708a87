import { OperatorPage } from '~/features/home/operator-page'
import { readFixedPage } from '~/features/home/site-pages.server'
import { renderArticle } from '~/features/learning/article/markdown.server'
import { ProseText } from '~/features/learning/article/prose-text'
import proseStyle from '~/features/learning/article/prose-text.css?url'
import { publicPage } from '~/server/cache/cache-public-pages.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/privacy'

export const links = () => [{ rel: 'stylesheet', href: proseStyle }]

export function headers() {
  return publicPage()
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
