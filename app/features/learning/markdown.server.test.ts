import { describe, expect, it } from 'vitest'
import { listHeadingAnchors } from '~/server/markdown/heading-anchors.server'
import { explanationUrl } from './lessons/lesson-url'
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
    for (const html of [renderNote(text) ?? '', renderArticle(text).html]) {
      expect(html).not.toMatch(/<(script|svg|iframe|img)\b/i)
      expect(html).not.toMatch(/<[^>]+\s(on\w+|style)\s*=/i)
      expect(html).not.toMatch(/(href|src)="\s*(javascript|data|vbscript|\/\/)/i)
    }
  })

  it('highlights code by classes, without inline style', () => {
    const html = renderArticle('```python\ndef area(width):\n    return width\n```').html

    expect(html).toContain('<span class="hljs-keyword">def</span>')
    expect(html).not.toContain('style=')
  })

  // Highlighting this word took minutes.
  it('does not highlight code with a very long line', () => {
    const { html } = renderArticle(`\`\`\`ts\nconst a = 1\n${'a'.repeat(200_000)}\n\`\`\``)

    expect(html).toContain('<code class="language-ts">const a = 1\n')
  })

  it('keeps the alignment of table columns as a class', () => {
    expect(renderArticle('| a | b |\n|:--|--:|\n| 1 | 2 |').html).toContain(
      '<td class="align-right">2</td>',
    )
  })

  it('fits headings below the heading that stands above them', () => {
    expect(renderArticle('# Title\n\n## Part').html).toMatch(
      /<h2 id="part-title">Title<\/h2>\s*<h2 id="part-part">Part<\/h2>/,
    )
    expect(renderNote('# Title')).toContain('<h4>Title</h4>')
  })

  it('links to a heading of the same article as its author writes it', () => {
    expect(renderArticle('[Down](#part-one)\n\n## Part one').html).toContain(
      '<a href="#part-part-one">',
    )
    expect(renderArticle('[Down](#größe)\n\n## Größe').html).toContain('href="#part-größe"')
  })

  it('stays readable with a link whose percent signs mean nothing', () => {
    expect(renderArticle('[Down](#gr%F6%DFe)\n\n## Größe').html).toContain(
      '<a href="#gr%F6%DFe">Down</a>',
    )
  })

  it('has boxes in articles, and text about money and variables is no formula', () => {
    expect(renderArticle('> [!WARNING]\n> Costs $5 or R$ 12.').html).toMatch(
      /callout-warning.*<p>Costs \$5 or R\$ 12\.<\/p>/s,
    )
  })

  it('shows pictures of this product and only links to those of others', () => {
    expect(renderArticle('![A box](/media/x.svg)').html).toContain(
      '<img src="/media/x.svg" alt="A box">',
    )
    expect(renderArticle('![A box](https://x.example/y.png)').html).toContain(
      '<a href="https://x.example/y.png"',
    )
  })
})

describe('an article', () => {
  it('lists its headings as readers see them, with the links to them', () => {
    expect(renderArticle('## Give *back* `None`\n\n### Why\n\n#### Details').headings).toEqual([
      { id: 'part-give-back-none', text: 'Give back None', level: 2 },
      { id: 'part-why', text: 'Why', level: 3 },
    ])
  })

  it('lists formulas in its headings as readable text, and prices as they are', () => {
    const { headings } = renderArticle('## The area $\\pi r^2$\n\n## From $5 to $10')
    expect(headings.map(({ text }) => text)).toEqual(['The area πr²', 'From $5 to $10'])
  })

  it('has a button that copies each block of code; a note has none', () => {
    expect(renderArticle('```\nx = 1\n```').html).toMatch(
      /<div class="code"><pre[^>]*>.*<button type="button">Copy/s,
    )
    expect(renderNote('```\nx = 1\n```')).not.toContain('button')
  })

  it('folds the answer of an exercise, and nothing of what follows it', () => {
    const { html } = renderArticle(
      '1. Add 1 and 1.\n\n**Answer.** It is *2*.\n\nNow try it yourself.',
    )
    expect(html).toContain(
      '<details class="answer"><summary>Answer</summary>\n<p>It is <em>2</em>.</p>\n</details><p>Now try it yourself.</p>',
    )
  })

  it('folds an answer of several blocks up to the next heading', () => {
    const { html } = renderArticle('**Answer.**\n\n```\n2\n```\n\nTwo.\n\n## Summary\n\nDone.')
    expect(html).toMatch(
      /<summary>Answer<\/summary>\s*<div class="code">.*<p>Two\.<\/p>\n<\/details><h2/s,
    )
  })

  it('folds an answer of several blocks up to the next answer', () => {
    const { html } = renderArticle(
      '**Answer.**\n\n```\n2\n```\n\n**Solution.**\n\nThree.\n\n## End',
    )
    expect(html).toMatch(
      /<summary>Answer<\/summary>.*<\/div>\s*<\/details><details class="answer"><summary>Solution<\/summary>\s*<p>Three\.<\/p>\n<\/details><h2/s,
    )
  })

  it('closes each folded answer', () => {
    const { html } = renderArticle('**Answer.**\n\nOne.\n\n**Answer.** Two.\n\nNow go on.')

    expect(html.match(/<\/details>/g)).toHaveLength(2)
    expect(html).toMatch(/<p>Two\.<\/p>\n<\/details><p>Now go on/)
  })

  it('reads from right to left if most of its letters do, but code and what is in another script do not', () => {
    const { html, direction } = renderArticle(
      'Python هي لغة برمجة سهلة القراءة، وهي مناسبة للمبتدئين في البرمجة.\n\nThis sentence is in English.\n\n```\nx = 1\n```',
    )

    expect(direction).toBe('rtl')
    expect(html).toMatch(/<p>Python/)
    expect(html).toContain('<p dir="ltr">This sentence')
    expect(html).toContain('<pre dir="ltr"')
  })

  it('marks the blocks of another direction in an article from left to right', () => {
    const { html, direction } = renderArticle('Hebrew is written so:\n\n- שלום עולם\n- תודה רבה')

    expect(direction).toBe('ltr')
    expect(html).toContain('<ul dir="rtl">')
  })
})

describe('the place that explains a question', () => {
  it('is a lesson, a heading of an article, or a second of a video', () => {
    expect(explanationUrl('python', 'loops')).toBe('/Learn/python/loops')
    expect(explanationUrl('python', 'loops#for-each')).toBe('/Learn/python/loops#part-for-each')
    expect(explanationUrl('python', 'loops#75')).toBe('/Learn/python/loops?at=75')
  })

  it('is named by the words of the heading, and found in the article under that name', () => {
    const article =
      '## `return` ends a *call*\n\n### 2026\n\n```\n## no heading\n```\n\nÜber uns\n---\n\n## Return: ends a call!'
    const anchors = ['return-ends-a-call', 'part-2026', 'über-uns', 'return-ends-a-call-2']
    expect(listHeadingAnchors(article)).toEqual(anchors)

    const html = renderArticle(article).html
    for (const anchor of anchors) {
      expect(html).toContain(`id="part-${anchor}"`)
    }
  })
})
