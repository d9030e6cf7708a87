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
import { LRUCache } from 'lru-cache'
import MarkdownIt from 'markdown-it'
import { decodeUrl } from '~/server/markdown/article-analysis.server'
import { addArticleSyntax } from '~/server/markdown/article-syntax.server'
import { formatFormula } from '~/server/markdown/formula-text.server'
import { getHeadingAnchors } from '~/server/markdown/heading-anchors.server'
import { addSizeLimit, findSizeProblem } from '~/server/markdown/markdown-size.server'
import { foldAnswers } from './folded-answers.server'
import { headingIdPrefix } from './lessons/lesson-url'
import { noteLimits } from './notes/note-form'
import { type Direction, detectDirection, setDirections } from './text-direction.server'

for (const [name, language] of Object.entries({
  bash,
  css,
  javascript,
  json,
  python,
  sql,
  typescript,
  xml,
  yaml,
})) {
  hljs.registerLanguage(name, language)
}

type Markdown = InstanceType<typeof MarkdownIt>
type Token = ReturnType<Markdown['parse']>[number]
type ArticleHeading = { id: string; text: string; level: number }

/** An article as safe HTML, its direction, and the headings of its table of contents. */
export type RenderedArticle = { html: string; direction: Direction; headings: ArticleHeading[] }

const articleRenderer = createArticleRenderer()
const noteRenderer = createNoteRenderer()

/** Rendered articles by their Markdown. Learners read a few hundred different lessons at a time. */
const articleCache = new LRUCache<string, RenderedArticle>({ max: 500 })

/**
 * Renders an article that the school wrote. The page displays the title of the article as its own
 * title, so the headings of the article start at the second level.
 */
export function renderArticle(text: string): RenderedArticle {
  const cachedArticle = articleCache.get(text)
  if (cachedArticle) {
    return cachedArticle
  }

  const tokens = articleRenderer.parse(text, {})
  const article = {
    html: articleRenderer.renderer.render(tokens, articleRenderer.options, {}),
    direction: detectDirection(text),
    headings: listHeadings(tokens),
  }

  articleCache.set(text, article)

  return article
}

/**
 * The version of the HTML that `renderNote` returns. Stored notes with another version are rendered
 * again before they are displayed, so every change of the HTML needs a new version.
 */
export const noteHtmlVersion = 2

/**
 * Renders a note of a learner. Besides the limit of all Markdown, the HTML of a note has a smaller
 * limit of its own, because it is stored with the note, and a page shows many notes.
 *
 * @returns null if the note exceeds a limit, for example because it repeats a long link
 */
export function renderNote(text: string): string | null {
  if (findSizeProblem(noteRenderer, text) !== null) {
    return null
  }

  const html = noteRenderer.render(text)

  return html.length <= noteLimits.html ? html : null
}

/** Returns text that can't be rendered as Markdown as a paragraph of plain text. */
export function renderPlainText(text: string): string {
  return `<p>${noteRenderer.utils.escapeHtml(text)}</p>`
}

function createArticleRenderer(): Markdown {
  const markdown = createRenderer({ headingShift: 0, hasHeadingIds: true, hasCopyButtons: true })
  addArticleSyntax(markdown)
  foldAnswers(markdown)
  setDirections(markdown)

  return markdown
}

/**
 * Creates a renderer for notes, which are displayed below a heading of the third level. Syntax that
 * is expensive to render stays plain text, so that no note keeps the server busy.
 */
function createNoteRenderer(): Markdown {
  const markdown = createRenderer({ headingShift: 3, maxHighlightedLength: 2000 })
  addSizeLimit(markdown)
  markdown.set({ maxNesting: 12 })

  return markdown
}

type RendererOptions = {
  /** The number of levels by which headings are lowered. */
  headingShift: number
  /** The length up to which code is highlighted. */
  maxHighlightedLength?: number
  /** Whether other pages can link to headings. */
  hasHeadingIds?: boolean
  /** Whether each block of code has a button that copies it. */
  hasCopyButtons?: boolean
}

/**
 * Creates a renderer whose HTML is safe by construction. Raw HTML becomes text. Links and pictures
 * lead only to http(s) and mailto URLs and to this site. There are no inline styles, because the
 * Content Security Policy of the site forbids them.
 */
function createRenderer({
  headingShift,
  maxHighlightedLength = Number.POSITIVE_INFINITY,
  hasHeadingIds = false,
  hasCopyButtons = false,
}: RendererOptions): Markdown {
  const markdown = new MarkdownIt({
    html: false,
    highlight(code, language) {
      const isShort = code.length <= maxHighlightedLength && !hasLongLine(code)
      const canHighlight = isShort && hljs.getLanguage(language)
      return canHighlight ? hljs.highlight(code, { language, ignoreIllegals: true }).value : ''
    },
  })

  markdown.validateLink = (url) =>
    /^(https?:\/\/|mailto:|\/(?!\/)|#|\.{0,2}\/?[\w-]+(\/|$|\.))/i.test(url.trim())

  markdown.core.ruler.push('strict', ({ tokens }) => {
    if (hasHeadingIds) {
      addHeadingIds(tokens)
    }

    for (const token of tokens) {
      shiftHeading(token, headingShift)
      replaceAlignmentStyle(token)
    }
  })
  setRenderRules(markdown, hasCopyButtons)

  return markdown
}

/** Code with a longer line is not highlighted. */
const maxHighlightedLineLength = 500

/**
 * Returns whether highlighting may take seconds: its time grows with the square of a line's length.
 */
function hasLongLine(code: string): boolean {
  return code.split('\n').some(({ length }) => length > maxHighlightedLineLength)
}

/** Gives each heading an id, and lets links like `#heading` lead to it. */
function addHeadingIds(tokens: readonly Token[]): void {
  const anchors = getHeadingAnchors(tokens)
  for (const [token, anchor] of anchors) {
    token.attrSet('id', `${headingIdPrefix}${anchor}`)
  }

  const linkableAnchors = new Set(anchors.values())
  for (const child of tokens.flatMap(({ children }) => children ?? [])) {
    linkToHeading(child, linkableAnchors)
  }
}

/** Turns `#heading`, as an author writes it, into a link to the id of that heading. */
function linkToHeading(token: Token, anchors: ReadonlySet<string>): void {
  const url = String(token.attrGet('href') ?? '')
  if (!url.startsWith('#')) {
    return
  }

  const anchor = decodeUrl(url.slice(1))
  if (anchors.has(anchor)) {
    token.attrSet('href', `#${headingIdPrefix}${anchor}`)
  }
}

function shiftHeading(token: Token, shift: number): void {
  if (!token.type.startsWith('heading_')) {
    return
  }

  // The first level belongs to the title of the page.
  const level = Number(token.tag.slice(1)) + shift
  token.tag = `h${Math.min(6, Math.max(2, level))}`
}

/** Replaces the inline style of an aligned table cell by a class. */
function replaceAlignmentStyle(token: Token): void {
  const alignment = String(token.attrGet('style')).match(/text-align:(\w+)/)?.[1]
  if (alignment) {
    token.attrs = [['class', `align-${alignment}`]]
  }
}

function setRenderRules(markdown: Markdown, hasCopyButtons: boolean): void {
  const { escapeHtml } = markdown.utils

  const renderFence = markdown.renderer.rules.fence
  markdown.renderer.rules.fence = (...args) => {
    // The tabindex lets people scroll long lines with the keyboard. Code reads from left to right,
    // whatever the language of the text around it.
    const html = renderFence?.(...args).replace('<pre>', '<pre dir="ltr" tabindex="0">') ?? ''
    return hasCopyButtons
      ? `<div class="code">${html}<button type="button">Copy</button></div>\n`
      : html
  }

  markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>'
  markdown.renderer.rules.table_close = () => '</table></div>'

  markdown.renderer.rules.image = (tokens, index) => {
    const url = escapeHtml(String(tokens[index]?.attrGet('src') ?? ''))
    const description = escapeHtml(tokens[index]?.content ?? '')
    return renderPicture(url, description)
  }

  markdown.renderer.rules.link_open = (tokens, index, options, _env, self) => {
    const token = tokens[index]
    if (/^https?:/i.test(String(token?.attrGet('href')))) {
      token?.attrSet('rel', 'noopener noreferrer')
    }

    return self.renderToken(tokens, index, options)
  }
}

/**
 * Renders a picture of this site as a picture, and a picture of another site as a link, because
 * loading it would tell the other site about every reader. Pictures are not loaded lazily, because
 * their signed URLs expire after some hours.
 *
 * @param url escaped for HTML
 * @param description escaped for HTML
 */
function renderPicture(url: string, description: string): string {
  if (url.startsWith('/media/')) {
    return `<img src="${url}" alt="${description}">`
  }

  return `<a href="${url}" rel="noopener noreferrer">${description || url}</a>`
}

/** Lists the headings of the two highest levels. With deeper ones, the list would be too long. */
function listHeadings(tokens: readonly Token[]): ArticleHeading[] {
  return tokens.flatMap((token, index) => {
    const level = Number(token.tag.slice(1))
    if (token.type !== 'heading_open' || level > 3) {
      return []
    }

    const children = tokens[index + 1]?.children ?? []
    const text = children.map(readTokenText).join('')
    return [{ id: String(token.attrGet('id')), text, level }]
  })
}

/** Returns the text of a part of a heading, as a list shows it. */
function readTokenText({ type, content }: Token): string {
  return type === 'formula' ? (formatFormula(content) ?? content) : content
}
