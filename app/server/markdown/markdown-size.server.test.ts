import { describe, expect, it } from 'vitest'
import { renderArticle } from '~/features/learning/markdown.server'
import { findArticleSizeProblem } from './article-analysis.server'
import { previewMailMarkdown, renderMailMarkdown } from './mail-markdown.server'

/** Has 19,000 characters and describes 700,000 cells. */
const hugeTables = Array.from(
  { length: 11 },
  () => `${'|'.repeat(220)}\n${'|-'.repeat(220)}|\n${'||\n'.repeat(290)}\n`,
).join('\n')

/** Has 20,000 characters and becomes 30 MB of links. */
const repeatedLink = `[a]: https://school.example/${'x'.repeat(10_000)}\n\n${'[a] '.repeat(2_500)}`

/** Has 600,000 characters and becomes 3.6 MB of `&quot;`. */
const quotationMarks = `${'"'.repeat(1_000)}\n\n`.repeat(600)

/** Has 32,000 characters and becomes 2 MB of MathML. */
const lineBreaks = `$$\\begin{align}${'\\\\'.repeat(900)}\\end{align}$$\n\n`.repeat(18)

const largestUsefulTable = `| Day | Pages |\n|---|---|\n${'| 1 | 2 |\n'.repeat(1_500)}`

const renderers = {
  'an article, a page of the site or its preview': (text: string) => renderArticle(text).html,
  'an email': (text: string) => renderMailMarkdown(text, 'https://school.example'),
  'the preview of an email': (text: string) => previewMailMarkdown(text, 'https://school.example'),
}

describe.each(Object.entries(renderers))('Markdown as %s', (_, render) => {
  it.each([
    ['tables with hundreds of thousands of cells', hugeTables],
    ['such tables in a quotation', hugeTables.replaceAll(/^/gm, '> ')],
    ['such tables in a list', hugeTables.replaceAll(/^/gm, '  ').replace('  ', '- ')],
    ['a long link that is repeated thousands of times', repeatedLink],
    ['characters that HTML writes with several bytes', quotationMarks],
    ['formulas that become large', lineBreaks],
  ])('shows a sentence instead of %s', (_, text) => {
    expect(render(text)).toMatch(/^<p[^>]*>This text is too large to be shown\.<\/p>\s*$/)
  })

  it('shows a long table whole', () => {
    expect(render(largestUsefulTable).match(/<tr>/g)).toHaveLength(1_501)
  })
})

/** Has 20,000 characters. Its description would be parsed once for each picture around it. */
const nestedPictures = nestInPictures(1_500, `$${'a'.repeat(9_000)}$`)

function nestInPictures(depth: number, description: string): string {
  return `${'!['.repeat(depth)}${description}${'](/x)'.repeat(depth)}`
}

describe('nested pictures', () => {
  it('are refused, and their descriptions are not parsed again and again', () => {
    expect(findArticleSizeProblem(nestedPictures)).toContain('This text becomes too large')
    expect(renderArticle(nestedPictures).html).toContain('too large to be shown')
  })

  it.each(['[x]', '\\]', '`]`'])('are refused if each description begins with %s', (text) => {
    const pictures = `${`![${text}`.repeat(500)}A cat${'](/x)'.repeat(500)}`

    expect(findArticleSizeProblem(pictures)).toContain('This text becomes too large')
  })

  it('are shown with few levels', () => {
    expect(findArticleSizeProblem(nestInPictures(3, 'A cat'))).toBeNull()
  })

  it('can stand beside each other in any number', () => {
    expect(findArticleSizeProblem('![A cat](/x) '.repeat(100))).toBeNull()
  })
})

describe('the size of a text', () => {
  it.each([hugeTables, repeatedLink, quotationMarks, lineBreaks])(
    'is reported for a text that becomes too large',
    (text) => {
      expect(findArticleSizeProblem(text)).toContain('This text becomes too large')
    },
  )

  it('does not limit a long table', () => {
    expect(findArticleSizeProblem(largestUsefulTable)).toBeNull()
  })
})
