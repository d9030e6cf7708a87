import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import MarkdownIt from 'markdown-it'
import { headingIdPrefix } from '~/features/progress/explaining-place'
import { addArticleSyntax, anchorsOf } from '~/server/content/article-markdown.server'
import { noteLimits } from '../notes/note-form'

for (const [name, language] of Object.entries({ bash, css, javascript, json, python, sql, typescript, xml, yaml })) {
  hljs.registerLanguage(name, language)
}

/** `headingIds`: headings can be linked to. */
type RendererOptions = { longestHighlighted?: number; headingIds?: boolean }

/**
 * Markdown to HTML that is safe by construction: raw HTML becomes text, and links and pictures lead to http(s), mail and
 * own addresses only. No inline style, because the page's policy forbids it.
 */
function renderer(
  headingShift: number,
  { longestHighlighted = Number.POSITIVE_INFINITY, headingIds = false }: RendererOptions = {},
) {
  const markdown = new MarkdownIt({
    html: false,
    highlight: (code, language) =>
      code.length <= longestHighlighted && hljs.getLanguage(language)
        ? hljs.highlight(code, { language, ignoreIllegals: true }).value
        : '',
  })
  markdown.validateLink = (address) =>
    /^(https?:\/\/|mailto:|\/(?!\/)|#|\.{0,2}\/?[\w-]+(\/|$|\.))/i.test(address.trim())
  markdown.core.ruler.push('strict', (state) => {
    const anchors = headingIds ? anchorsOf(state.tokens) : null
    for (const token of state.tokens) {
      const anchor = anchors?.get(token)
      if (anchor) token.attrSet('id', `${headingIdPrefix}${anchor}`)
      if (token.type.startsWith('heading_')) {
        const level = Number(token.tag.slice(1)) + headingShift
        // The first level is the page's title.
        token.tag = `h${Math.min(6, Math.max(2, level))}`
      }
      if (anchors) for (const child of token.children ?? []) linkWithin(child, new Set(anchors.values()))
      const align = String(token.attrGet('style')).match(/text-align:(\w+)/)?.[1]
      if (align) token.attrs = [['class', `align-${align}`]]
    }
  })
  // Scrolled by keyboard, too, when the lines are long.
  const fence = markdown.renderer.rules.fence
  markdown.renderer.rules.fence = (...args) => fence?.(...args).replace('<pre>', '<pre tabindex="0">') ?? ''
  markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>'
  markdown.renderer.rules.table_close = () => '</table></div>'
  markdown.renderer.rules.image = (tokens, index) =>
    pictureOf(markdown.utils.escapeHtml, String(tokens[index]?.attrGet('src') ?? ''), tokens[index]?.content ?? '')
  markdown.renderer.rules.link_open = (tokens, index, options, _, self) => {
    if (/^https?:/i.test(String(tokens[index]?.attrGet('href')))) tokens[index]?.attrSet('rel', 'noopener noreferrer')
    return self.renderToken(tokens, index, options)
  }
  return markdown
}

/** `#heading` as an author writes it. */
function linkWithin(token: Token, anchors: ReadonlySet<string>): void {
  const address = String(token.attrGet('href') ?? '')
  if (!address.startsWith('#')) return
  const heading = decodeURIComponent(address.slice(1))
  if (anchors.has(heading)) token.attrSet('href', `#${headingIdPrefix}${heading}`)
}

/**
 * A picture from another host would tell that host about every reader, so it becomes a link. Own pictures load at once,
 * because their addresses work for some hours only (see `signArticleMedia`).
 */
function pictureOf(escapeHtml: (text: string) => string, address: string, description: string): string {
  const [source, text] = [escapeHtml(address), escapeHtml(description)]
  if (address.startsWith('/media/')) return `<img src="${source}" alt="${text}">`
  return `<a href="${source}" rel="noopener noreferrer">${text || source}</a>`
}

const article = renderer(0, { headingIds: true })
addArticleSyntax(article)
/**
 * A note stands below a heading of the third level. Costly syntax stays plain text, so that no note keeps the server
 * busy.
 */
const note = renderer(3, { longestHighlighted: 2000 })
note.set({ maxNesting: 12 })
leaveLargeTables(note, 1000)

/** Larger tables stay text. A short row is filled up with cells, so a few characters could make many cells. */
function leaveLargeTables(markdown: Markdown, mostCells: number): void {
  const { __rules__: rules } = markdown.block.ruler as unknown as { __rules__: { name: string; fn: BlockRule }[] }
  const table = rules.find(({ name }) => name === 'table')?.fn
  if (!table) throw new Error('markdown-it has no rule for tables any more.')
  const cautious: BlockRule = (state, start, end, silent) => {
    const head = state.src.slice(state.bMarks[start], state.eMarks[start])
    const columns = head.split('|').length
    return columns * (end - start) <= mostCells && table(state, start, end, silent)
  }
  markdown.block.ruler.at('table', cautious, { alt: ['paragraph', 'reference'] })
}

type Markdown = InstanceType<typeof MarkdownIt>
type Token = ReturnType<Markdown['parse']>[number]
type BlockRule = Parameters<Markdown['block']['ruler']['at']>[1]

/** Rendered articles by their text; some hundred lessons at most are read at a time. */
const rendered = new Map<string, string>()
const renderedLimit = 500

/** An operator's article, whose own title is the page's: its headings start at the second level. */
export function renderArticle(text: string): string {
  const known = rendered.get(text)
  if (known !== undefined) return known
  const html = article.render(text)
  if (rendered.size >= renderedLimit) rendered.clear()
  rendered.set(text, html)
  return html
}

/** Version of the output of `renderNote`: after a change, stored notes are rendered again when they are shown. */
export const noteRendering = 1

/**
 * A learner's note.
 *
 * @returns null if it would become much longer than it is, for example by a link that it repeats.
 */
export function renderNote(text: string): string | null {
  const html = note.render(text)
  return html.length <= noteLimits.html ? html : null
}

/** Plain text, for anything that can't be rendered. */
export function renderPlain(text: string): string {
  return `<p>${note.utils.escapeHtml(text)}</p>`
}
