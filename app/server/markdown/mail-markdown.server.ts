/**
 * Renders the Markdown of articles for emails and for their preview at the desk.
 *
 * - HTML is shown as text, and links may only lead to http(s) URLs and email addresses.
 * - Pictures become links, because loading a picture tells its host about the reader.
 * - Formulas become readable text, because many mail programs show no MathML.
 */
import MarkdownIt from 'markdown-it'
import { siteAccent } from '../site/site.server'
import { addArticleSyntax } from './article-syntax.server'
import { formatFormula, writeFormulasAsText } from './formula-text.server'

type Markdown = InstanceType<typeof MarkdownIt>
type Token = ReturnType<Markdown['parse']>[number]
type RenderEnvironment = {
  publicUrl: string
  /** The color of links and of the lines beside quotations and callouts. */
  accent: string
}

const emailRenderer = createRenderer({ isStyled: true })
const previewRenderer = createRenderer({ isStyled: false })

/**
 * Renders HTML with inline styles, in the accent color of the school.
 *
 * @param publicUrl completes links to the product's own pages
 */
export function renderMailMarkdown(text: string, publicUrl: string): string {
  return emailRenderer.render(text, { publicUrl, accent: siteAccent().light })
}

/** Renders the same HTML without inline styles, which the page's policy forbids. */
export function previewMailMarkdown(text: string, publicUrl: string): string {
  return previewRenderer.render(text, { publicUrl, accent: siteAccent().light })
}

function createRenderer({ isStyled }: { isStyled: boolean }): Markdown {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
  addArticleSyntax(markdown)
  markdown.validateLink = (url) => /^(https?:\/\/|mailto:|\/(?!\/))/i.test(url.trim())

  markdown.core.ruler.push('mail', (state) => {
    const { publicUrl, accent } = state.env as RenderEnvironment
    const styles = isStyled ? getStyles(accent) : {}
    for (const token of state.tokens.flatMap((block) => [block, ...(block.children ?? [])])) {
      adaptToken(token, publicUrl, styles)
    }
  })

  if (isStyled) {
    styleCallouts(markdown)
  }

  renderPicturesAsLinks(markdown)
  renderFormulasAsText(markdown, { isStyled })

  return markdown
}

/** Returns inline styles by tag, because mail programs ignore style sheets. */
function getStyles(accent: string): Record<string, string> {
  return {
    p: 'margin:0 0 16px',
    h1: 'margin:24px 0 12px;font-size:22px;line-height:1.3',
    h2: 'margin:24px 0 12px;font-size:20px;line-height:1.3',
    h3: 'margin:20px 0 8px;font-size:17px;line-height:1.4',
    ul: 'margin:0 0 16px;padding-left:24px',
    ol: 'margin:0 0 16px;padding-left:24px',
    blockquote: `margin:0 0 16px;padding-left:14px;border-left:3px solid ${accent};color:#575a70`,
    pre: 'margin:0 0 16px;padding:12px;background:#f3f3f8;border-radius:8px;white-space:pre-wrap',
    a: `color:${accent}`,
    table: 'margin:0 0 16px;border-collapse:collapse',
    th: 'padding:4px 12px 4px 0;text-align:left;border-bottom:1px solid #d5d6e2',
    td: 'padding:4px 12px 4px 0;border-bottom:1px solid #d5d6e2',
    div: `margin:0 0 16px;padding:12px 16px 1px;background:#f3f3f8;border-left:3px solid ${accent}`,
  }
}

/**
 * Completes a link, and replaces the styles of an element by those that emails need.
 *
 * @param styles inline styles by tag; empty for the preview
 */
function adaptToken(token: Token, publicUrl: string, styles: Record<string, string>): void {
  const url = String(token.attrGet('href') ?? '')
  if (url.startsWith('/')) {
    token.attrSet('href', publicUrl + url)
  }

  if (url) {
    token.attrSet('rel', 'noopener noreferrer')
  }

  // The alignment of columns is an inline style, which the page's policy forbids in the preview.
  if (token.tag === 'th' || token.tag === 'td') {
    token.attrs = []
  }

  const style = styles[token.tag]
  if (style && token.nesting >= 0) {
    token.attrSet('style', style)
  }
}

function styleCallouts(markdown: Markdown): void {
  const renderCallout = markdown.renderer.rules.callout_open
  markdown.renderer.rules.callout_open = (tokens, index, options, env, renderer) => {
    const styles = getStyles((env as RenderEnvironment).accent)
    const callout = renderCallout?.(tokens, index, options, env, renderer) ?? ''
    return callout
      .replace(/<div [^>]*>/, `<div style="${styles.div}">`)
      .replace('<p class', `<p style="${styles.p};font-weight:600" class`)
  }
}

function renderPicturesAsLinks(markdown: Markdown): void {
  const { escapeHtml } = markdown.utils
  markdown.renderer.rules.image = (tokens, index, _options, env) => {
    const { publicUrl } = env as RenderEnvironment
    const source = String(tokens[index]?.attrGet('src') ?? '')
    const url = source.startsWith('/') ? publicUrl + source : source
    const label = tokens[index]?.content || url

    return `<a href="${escapeHtml(url)}" rel="noopener noreferrer">${escapeHtml(label)}</a>`
  }
}

function renderFormulasAsText(markdown: Markdown, { isStyled }: { isStyled: boolean }): void {
  markdown.renderer.rules.formula = (tokens, index) => renderFormulaText(markdown, tokens[index])
  markdown.renderer.rules.formula_block = (tokens, index, _options, env) => {
    const styles = getStyles((env as RenderEnvironment).accent)
    const style = isStyled ? ` style="${styles.p}"` : ''
    return `<p${style}>${renderFormulaText(markdown, tokens[index])}</p>\n`
  }
}

/** Renders a formula as text, or as its source if it can't be written as text. */
function renderFormulaText(markdown: Markdown, token: Token | undefined): string {
  const tex = token?.content ?? ''
  const { escapeHtml } = markdown.utils
  const text = formatFormula(tex)

  return text === null ? `<code>${escapeHtml(tex)}</code>` : escapeHtml(text)
}

/**
 * Returns the plain text version: the Markdown itself, with complete URLs and readable formulas.
 * Code stays as it is typed.
 */
export function plainMailMarkdown(text: string, publicUrl: string): string {
  return writeFormulasOutsideCode(completeLinks(text.replaceAll('\r\n', '\n'), publicUrl))
}

/**
 * Matches the start of a link to a path: `](` of a link or picture, or `[label]:` of a reference,
 * which may stand in quotations and lists.
 */
const pathLinkStart =
  /(?:\]\(\s*<?|^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*\[[^\]\n]+\]:\s*<?)(?=\/(?!\/))/gm

function completeLinks(text: string, publicUrl: string): string {
  let completedText = ''
  let copiedLength = 0
  for (const { index, 0: linkStart } of maskCode(text).matchAll(pathLinkStart)) {
    const pathStart = index + linkStart.length
    completedText += text.slice(copiedLength, pathStart) + publicUrl
    copiedLength = pathStart
  }

  return completedText + text.slice(copiedLength)
}

function writeFormulasOutsideCode(text: string): string {
  let end = 0
  const parts = maskCode(text)
    .split(/(\uffff+)/)
    .map((maskedPart, index) => {
      const start = end
      end += maskedPart.length
      const part = text.slice(start, end)
      // The pattern has a group, so that every second part is code.
      return index % 2 === 1 ? part : writeFormulasAsText(part)
    })

  return parts.join('')
}

/** Stands for a character of code. Unicode assigns it to no character. */
const codeMask = '\uffff'

/** Matches code within a paragraph. It ends at as many backticks as it begins with. */
const codeSpan = /(?<![\\`])(`+)(?!`)(?:(?!\n[ \t]*\n)[^\uffff])+?(?<!`)\1(?!`)/g

/** Returns a text of the same length in which all code is masked. */
function maskCode(text: string): string {
  const lines = text.split('\n')
  const blocks = emailRenderer.parse(text, { publicUrl: '', accent: '' })
  for (const { type, map } of blocks) {
    const isCode = type === 'fence' || type === 'code_block'
    if (isCode && map) {
      const [start, end] = map
      lines.splice(start, end - start, ...lines.slice(start, end).map(mask))
    }
  }

  return lines.join('\n').replaceAll(codeSpan, mask)
}

function mask(text: string): string {
  return codeMask.repeat(text.length)
}
