import { describe, expect, it } from 'vitest'
import { explainingAddress } from '~/features/progress/explaining-place'
import { headingAnchors } from '~/server/content/article-markdown.server'
import { renderArticle } from './markdown.server'

describe('the place that explains a question', () => {
  it('is a lesson, a heading of an article, or a second of a film', () => {
    expect(explainingAddress('python', 'loops')).toBe('/Learn/python/loops')
    expect(explainingAddress('python', 'loops#for-each')).toBe('/Learn/python/loops#part-for-each')
    expect(explainingAddress('python', 'loops#75')).toBe('/Learn/python/loops?at=75')
  })

  it('is named by the words of the heading, and found in the article under that name', () => {
    const article =
      '## `return` ends a *call*\n\n### 2026\n\n```\n## no heading\n```\n\nÜber uns\n---\n\n## Return: ends a call!'
    const anchors = ['return-ends-a-call', 'part-2026', 'über-uns', 'return-ends-a-call-2']
    expect(headingAnchors(article)).toEqual(anchors)
    const html = renderArticle(article)
    for (const anchor of anchors) expect(html).toContain(`id="part-${anchor}"`)
  })
})
