import { publicPage } from '~/server/cache/cache-public-pages.server'
import { env } from '~/server/env.server'

/** /robots.txt: a route and not a file, as the address of the sitemap has to be absolute. */
export function loader() {
  const text = `User-agent: *
Disallow: /Profile
Disallow: /ResetPassword
Disallow: /account/
Sitemap: ${env.PUBLIC_URL}/sitemap.xml
`

  return new Response(text, {
    headers: { ...publicPage(), 'Content-Type': 'text/plain; charset=utf-8' },
  })
}
