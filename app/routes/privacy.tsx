import { OperatorPage } from '~/features/home/operator-page'
import { renderArticle } from '~/features/lessons/article/markdown.server'
import { ProseText } from '~/features/lessons/article/prose-text'
import proseStyle from '~/features/lessons/article/prose-text.css?url'
import { publicPage } from '~/server/cache/cache-public-pages.server'
import { readOperatorPage } from '~/server/content/site-files.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/privacy'

export const links = () => [{ rel: 'stylesheet', href: proseStyle }]

export function headers() {
  return publicPage()
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Privacy policy',
    description: 'What this site stores about you, why, and how to download or delete it.',
    path: '/Privacy',
    matches,
  })

export async function loader() {
  return { html: renderArticle(await readOperatorPage('privacy')).html }
}

export default function PrivacyRoute({ loaderData }: Route.ComponentProps) {
  return (
    <OperatorPage title="Privacy policy">
      <ProseText html={loaderData.html} />
    </OperatorPage>
  )
}
