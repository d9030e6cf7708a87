import { sellsCourses } from '~/features/enrollment/course-access.server'
import { OperatorPage } from '~/features/home/operator-page'
import { readFixedPage } from '~/features/home/site-pages.server'
import { renderArticle } from '~/features/learning/markdown.server'
import { requestRefundTexts } from '~/features/orders/refunds/refund-texts'
import { publicPageHeaders } from '~/server/cache/page-cache.server'
import { pageMeta } from '~/ui/page-meta'
import { ProseText } from '~/ui/prose-text'
import proseStyle from '~/ui/prose-text.css?url'
import type { Route } from './+types/terms'

export const links = () => [{ rel: 'stylesheet', href: proseStyle }]

export function headers() {
  return publicPageHeaders()
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta({
    title: loaderData?.title,
    description: 'The terms of use for this site.',
    path: '/Terms',
    matches,
  })

export async function loader() {
  const { title, text } = await readFixedPage('terms')
  const { html } = renderArticle(text)
  const refundLink = sellsCourses()
    ? `<p><a href="/Refund">${requestRefundTexts.title}</a></p>`
    : ''

  return { title, html: html + refundLink }
}

export default function TermsRoute({ loaderData: { title, html } }: Route.ComponentProps) {
  return (
    <OperatorPage title={title}>
      <ProseText html={html} />
    </OperatorPage>
  )
}
