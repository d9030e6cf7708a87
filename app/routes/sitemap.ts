import { listCourseAddresses } from '~/features/home/home-queries.server'
import { db } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { publicPage } from '~/server/page-cache.server'

const pages = ['/', '/AllCourses', '/OneCourse', '/Instructor', '/Login', '/SignUp']

/** /sitemap.xml: what search engines may list. */
export async function loader() {
  const courses = await listCourseAddresses(db)
  const entries = [
    ...pages.map((path) => `<url><loc>${escapeXml(env.PUBLIC_URL + path)}</loc></url>`),
    ...courses.map(({ id, lastUpdated }) => {
      const address = escapeXml(`${env.PUBLIC_URL}/OneCourse/${id}`)
      return `<url><loc>${address}</loc><lastmod>${lastUpdated}</lastmod></url>`
    }),
  ]
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`
  return new Response(xml, { headers: { ...publicPage(), 'Content-Type': 'application/xml; charset=utf-8' } })
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
