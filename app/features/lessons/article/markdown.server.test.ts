import { describe, expect, it } from 'vitest'
import { explainingAddress } from '~/features/progress/explaining-place'
import { headingAnchors } from '~/server/content/article-markdown.server'
import { renderArticle, renderNote } from './markdown.server'

describe('Markdown of notes and articles', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[click](javascript:alert(1))',
    '[click](JaVaScRiPt:alert(1))',
    '[click](data:text/html;base64,PHNjcmlwdD4=)',
    '[click](vbscript:x)',
    '![x](javascript:alert(1))',
    '![x"onerror="alert(1)](https://evil.example/x.png)',
    '[x](https://a.example" onmouseover="alert\\(1\\))',
    '<a href="javascript:alert(1)">x</a>',
    '`<b>`<svg/onload=alert(1)>',
    '```html"onclick="x\n<script>\n```',
    '[ref]\n\n[ref]: javascript:alert(1)',
    '<https://x.example/"onclick="alert(1)>',
    '[x](//evil.example)',
  ])('never becomes a script: %s', (text) => {
    for (const html of [renderNote(text) ?? '', renderArticle(text)]) {
      expect(html).not.toMatch(/<(script|svg|iframe|img)\b/i)
      expect(html).not.toMatch(/<[^>]+\s(on\w+|style)\s*=/i)
      expect(html).not.toMatch(/(href|src)="\s*(javascript|data|vbscript|\/\/)/i)
    }
  })

  it('highlights code by classes, without inline style', () => {
    const html = renderArticle('```python\ndef area(width):\n    return width\n```')
    expect(html).toContain('<span class="hljs-keyword">def</span>')
    expect(html).not.toContain('style=')
  })

  it('keeps the alignment of table columns as a class', () => {
    expect(renderArticle('| a | b |\n|:--|--:|\n| 1 | 2 |')).toContain('<td class="align-right">2</td>')
  })

  it('fits headings below the heading that stands above them', () => {
    expect(renderArticle('# Title\n\n## Part')).toMatch(
      /<h2 id="part-title">Title<\/h2>\s*<h2 id="part-part">Part<\/h2>/,
    )
    expect(renderNote('# Title')).toContain('<h4>Title</h4>')
  })

  it('links to a heading of the same article as its author writes it', () => {
    expect(renderArticle('[Down](#part-one)\n\n## Part one')).toContain('<a href="#part-part-one">')
    expect(renderArticle('[Down](#größe)\n\n## Größe')).toContain('href="#part-größe"')
  })

  it('has boxes in articles, and text about money and variables is no formula', () => {
    expect(renderArticle('> [!WARNING]\n> Costs $5 or R$ 12.')).toMatch(
      /callout-warning.*<p>Costs \$5 or R\$ 12\.<\/p>/s,
    )
  })

  it('shows pictures of this product and only links to those of others', () => {
    expect(renderArticle('![A box](/media/x.svg)')).toContain('<img src="/media/x.svg" alt="A box">')
    expect(renderArticle('![A box](https://x.example/y.png)')).toContain('<a href="https://x.example/y.png"')
  })
})

describe('the place that explains a question', () => {
  it('is a lesson, a heading of an article, or a second of a video', () => {
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
