import { publicPageHeaders } from '~/server/cache/page-cache.server'
import { env } from '~/server/env.server'

/** /robots.txt. It is a route and not a file, because the URL of the sitemap has to be absolute. */
export function loader() {
  const text = `User-agent: *
Disallow: /Profile
Disallow: /ResetPassword
Disallow: /account/
Sitemap: ${env.PUBLIC_URL}/sitemap.xml
`

  return new Response(text, {
    headers: { ...publicPageHeaders(), 'Content-Type': 'text/plain; charset=utf-8' },
  })
}
