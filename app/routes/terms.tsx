import { sellsCourses } from '~/features/enrollment/course-access.server'
import { OperatorPage } from '~/features/home/operator-page'
import { renderArticle } from '~/features/lessons/article/markdown.server'
import { ProseText } from '~/features/lessons/article/prose-text'
import proseStyle from '~/features/lessons/article/prose-text.css?url'
import { moneyBackTitle } from '~/features/orders/refund-requests/refund-messages'
import { publicPage } from '~/server/cache/cache-public-pages.server'
import { readOperatorPage } from '~/server/content/site-files.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/terms'

export const links = () => [{ rel: 'stylesheet', href: proseStyle }]

export function headers() {
  return publicPage()
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Terms and conditions',
    description: 'The terms of use for this site.',
    path: '/Terms',
    matches,
  })

export async function loader() {
  const { html } = renderArticle(await readOperatorPage('terms'))
  return { html: sellsCourses ? `${html}<p><a href="/Refund">${moneyBackTitle}</a></p>` : html }
}

export default function TermsRoute({ loaderData }: Route.ComponentProps) {
  return (
    <OperatorPage title="Terms and conditions">
      <ProseText html={loaderData.html} />
    </OperatorPage>
  )
}
