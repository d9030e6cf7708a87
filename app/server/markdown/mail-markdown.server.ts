import MarkdownIt from 'markdown-it'
import { addArticleSyntax } from './article-markdown.server'

type Markdown = InstanceType<typeof MarkdownIt>

/** Inline styles by tag, because mail programs ignore style sheets. */
const styles: Record<string, string> = {
  p: 'margin:0 0 16px',
  h1: 'margin:24px 0 12px;font-size:22px;line-height:1.3',
  h2: 'margin:24px 0 12px;font-size:20px;line-height:1.3',
  h3: 'margin:20px 0 8px;font-size:17px;line-height:1.4',
  ul: 'margin:0 0 16px;padding-left:24px',
  ol: 'margin:0 0 16px;padding-left:24px',
  blockquote: 'margin:0 0 16px;padding-left:14px;border-left:3px solid #5140e0;color:#575a70',
  pre: 'margin:0 0 16px;padding:12px;background:#f3f3f8;border-radius:8px;white-space:pre-wrap',
  a: 'color:#5140e0',
  table: 'margin:0 0 16px;border-collapse:collapse',
  th: 'padding:4px 12px 4px 0;text-align:left;border-bottom:1px solid #d5d6e2',
  td: 'padding:4px 12px 4px 0;border-bottom:1px solid #d5d6e2',
  div: 'margin:0 0 16px;padding:12px 16px 1px;background:#f3f3f8;border-left:3px solid #5140e0',
}

/**
 * Markdown as in articles, for a mail or its preview. HTML is shown as text, links may only lead to
 * http(s) and mail addresses, and pictures become links, because loading one tells its host about
 * the reader.
 */
function renderer(isStyled: boolean): Markdown {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
  addArticleSyntax(markdown)
  markdown.validateLink = (address) => /^(https?:\/\/|mailto:|\/(?!\/))/i.test(address.trim())
  markdown.core.ruler.push('mail', (state) => {
    const { publicUrl } = state.env as { publicUrl: string }
    for (const token of state.tokens.flatMap((block) => [block, ...(block.children ?? [])])) {
      const address = String(token.attrGet('href') ?? '')
      if (address.startsWith('/')) {
        token.attrSet('href', publicUrl + address)
      }

      if (address) {
        token.attrSet('rel', 'noopener noreferrer')
      }

      // Removes the alignment of columns, an inline style that the page's policy forbids in the
      // preview.
      if (token.tag === 'th' || token.tag === 'td') {
        token.attrs = []
      }

      const style = styles[token.tag]
      if (isStyled && style && token.nesting >= 0) {
        token.attrSet('style', style)
      }
    }
  })
  const callout = markdown.renderer.rules.callout_open
  if (isStyled) {
    markdown.renderer.rules.callout_open = (...args) =>
      (callout?.(...args) ?? '')
        .replace(/<div [^>]*>/, `<div style="${styles.div}">`)
        .replace('<p class', `<p style="${styles.p};font-weight:600" class`)
  }

  markdown.renderer.rules.image = (tokens, index, _, env) => {
    const { escapeHtml } = markdown.utils
    const source = String(tokens[index]?.attrGet('src') ?? '')
    const address = source.startsWith('/')
      ? (env as { publicUrl: string }).publicUrl + source
      : source

    return `<a href="${escapeHtml(address)}" rel="noopener noreferrer">${escapeHtml(tokens[index]?.content || address)}</a>`
  }

  return markdown
}

const mail = renderer(true)
const preview = renderer(false)

/** HTML with inline styles. @param publicUrl completes links to the product's own pages. */
export function renderMailMarkdown(text: string, publicUrl: string): string {
  return mail.render(text, { publicUrl })
}

/** The same HTML without inline styles, which the page's policy forbids. */
export function previewMailMarkdown(text: string, publicUrl: string): string {
  return preview.render(text, { publicUrl })
}

/** The plain text version: the Markdown itself, with complete addresses. */
export function plainMailMarkdown(text: string, publicUrl: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/\]\((?=\/(?!\/))/g, `](${publicUrl}`)
}
