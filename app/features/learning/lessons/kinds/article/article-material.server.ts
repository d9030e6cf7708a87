import { signMediaUrl } from '~/features/courses/content/course-media.server'
import type { StoredMaterial } from '~/features/courses/lessons/lesson-format.server'
import { type RenderedArticle, renderArticle } from '../../../markdown.server'

export type ArticleMaterial = RenderedArticle

export async function loadArticleMaterial(
  { article }: StoredMaterial,
  now: Date,
): Promise<ArticleMaterial> {
  const rendered = renderArticle(article ?? '')
  return { ...rendered, html: await signMediaUrls(rendered.html, now) }
}

/** Signs the URLs of pictures and linked files, which only learners of the course may open. */
async function signMediaUrls(html: string, now: Date): Promise<string> {
  const mediaUrl = /(?<=(?:src|href)=")(\/media\/[^"?#&]+)(?=")/
  // Splitting by a group puts the URLs at the odd indexes.
  const parts = html.split(mediaUrl)
  const signedParts = parts.map(async (part, index) => {
    const isUrl = index % 2 === 1
    return isUrl ? (await signMediaUrl(part, now)).replaceAll('&', '&amp;') : part
  })

  return (await Promise.all(signedParts)).join('')
}
