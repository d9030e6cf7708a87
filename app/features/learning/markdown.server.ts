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
import { addArticleSyntax, anchorsOf, decoded } from '~/server/markdown/article-markdown.server'
import { headingIdPrefix } from './lessons/lesson-url'
import { noteLimits } from './notes/note-form'

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

/** `headingIds`: headings can be linked to. `copy`: code has a button that copies it. */
type RendererOptions = { longestHighlighted?: number; headingIds?: boolean; copy?: boolean }

/**
 * Markdown to HTML that is safe by construction: raw HTML becomes text, and links and pictures lead
 * to http(s), mail and own addresses only. No inline style, because the page's policy forbids it.
 */
function renderer(
  headingShift: number,
  {
    longestHighlighted = Number.POSITIVE_INFINITY,
    headingIds = false,
    copy = false,
  }: RendererOptions = {},
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
    const known = new Set(anchors?.values())
    for (const token of state.tokens) {
      const anchor = anchors?.get(token)
      if (anchor) {
        token.attrSet('id', `${headingIdPrefix}${anchor}`)
      }

      if (token.type.startsWith('heading_')) {
        const level = Number(token.tag.slice(1)) + headingShift
        // The first level is the page's title.
        token.tag = `h${Math.min(6, Math.max(2, level))}`
      }

      if (anchors) {
        for (const child of token.children ?? []) {
          linkWithin(child, known)
        }
      }

      const align = String(token.attrGet('style')).match(/text-align:(\w+)/)?.[1]
      if (align) {
        token.attrs = [['class', `align-${align}`]]
      }
    }
  })
  const fence = markdown.renderer.rules.fence
  markdown.renderer.rules.fence = (...args) => {
    // Scrolled by keyboard, too, when the lines are long. Code reads from left to right in every
    // language.
    const code = fence?.(...args).replace('<pre>', '<pre dir="ltr" tabindex="0">') ?? ''
    return copy ? `<div class="code">${code}<button type="button">Copy</button></div>\n` : code
  }

  markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>'
  markdown.renderer.rules.table_close = () => '</table></div>'
  markdown.renderer.rules.image = (tokens, index) =>
    pictureOf(
      markdown.utils.escapeHtml,
      String(tokens[index]?.attrGet('src') ?? ''),
      tokens[index]?.content ?? '',
    )

  markdown.renderer.rules.link_open = (tokens, index, options, _, self) => {
    if (/^https?:/i.test(String(tokens[index]?.attrGet('href')))) {
      tokens[index]?.attrSet('rel', 'noopener noreferrer')
    }

    return self.renderToken(tokens, index, options)
  }

  return markdown
}

/** `#heading` as an author writes it. */
function linkWithin(token: Token, anchors: ReadonlySet<string>): void {
  const address = String(token.attrGet('href') ?? '')
  if (!address.startsWith('#')) {
    return
  }

  const heading = decoded(address.slice(1))
  if (anchors.has(heading)) {
    token.attrSet('href', `#${headingIdPrefix}${heading}`)
  }
}

/**
 * A picture from another host would tell that host about every reader, so it becomes a link. Own
 * pictures load at once, because their addresses work for some hours only (see `signArticleMedia`).
 */
function pictureOf(
  escapeHtml: (text: string) => string,
  address: string,
  description: string,
): string {
  const [source, text] = [escapeHtml(address), escapeHtml(description)]
  if (address.startsWith('/media/')) {
    return `<img src="${source}" alt="${text}">`
  }

  return `<a href="${source}" rel="noopener noreferrer">${text || source}</a>`
}

const article = renderer(0, { headingIds: true, copy: true })
addArticleSyntax(article)
foldAnswers(article)
setDirections(article)
/**
 * A note stands below a heading of the third level. Costly syntax stays plain text, so that no note
 * keeps the server busy.
 */
function noteRenderer() {
  const markdown = renderer(3, { longestHighlighted: 2000 })
  markdown.set({ maxNesting: 12 })
  return markdown
}

const note = noteRenderer()
const noteWithoutTables = noteRenderer().disable('table')

/**
 * Larger tables stay text. A short row is filled up with cells, so a few characters could make many
 * cells.
 */
const mostCells = 1000

/**
 * The answer of an exercise begins so. Without more in its paragraph, it goes on to the next
 * heading.
 */
const answerMark = /^\*\*(Answers?|Solutions?)[.:]?\*\*[.:]?\s*/

/** Readers try an exercise first, so its answer is folded. */
function foldAnswers(markdown: Markdown): void {
  markdown.core.ruler.before('inline', 'answers', (state) => {
    const { tokens, Token } = state
    const folded: Token[] = []
    let end = -1
    for (const [index, token] of tokens.entries()) {
      const inline = tokens[index + 1]
      const [mark, name = ''] =
        token.level === 0 ? (answerMark.exec(inline?.content ?? '') ?? []) : []
      if (token.type === 'paragraph_open' && inline && mark !== undefined) {
        inline.content = inline.content.slice(mark.length)
        if (inline.content === '') {
          for (const part of tokens.slice(index, index + 3)) {
            part.hidden = true
          }

          const heading = tokens.findIndex(
            ({ type, level }, at) => at > index && type === 'heading_open' && level === 0,
          )
          end = heading < 0 ? tokens.length - 1 : heading - 1
        } else {
          end = index + 2
        }

        const open = new Token('answer_open', 'details', 1)
        open.content = name
        folded.push(open)
      }

      folded.push(token)
      if (index === end) {
        folded.push(new Token('answer_close', 'details', -1))
      }
    }

    state.tokens = folded
  })

  markdown.renderer.rules.answer_open = (tokens, index) =>
    `<details class="answer"><summary>${tokens[index]?.content}</summary>\n`
}

/**
 * Marks each block that reads in the other direction than its article, by the letters of its text.
 */
function setDirections(markdown: Markdown): void {
  markdown.core.ruler.after('inline', 'directions', ({ tokens, src }) => {
    const ofArticle = directionOf(src)
    for (const [index, token] of tokens.entries()) {
      if (token.level > 0 || token.nesting !== 1) {
        continue
      }

      let end = index + 1
      while (tokens[end] && (tokens[end]?.nesting !== -1 || tokens[end]?.level !== 0)) {
        end += 1
      }

      const text = tokens
        .slice(index, end)
        .map(({ type, content }) => (type === 'inline' ? content : ''))
      const direction = directionOf(text.join(' '), ofArticle)
      if (direction !== ofArticle) {
        token.attrSet('dir', direction)
      }
    }
  })
}

type Direction = 'ltr' | 'rtl'

/** The direction of most letters, code left out; `otherwise` without any. */
function directionOf(text: string, otherwise: Direction = 'ltr'): Direction {
  const words = text.replaceAll(/```.*?```|`[^`]*`/gs, '')
  const rightToLeft =
    words.match(/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/gu)
      ?.length ?? 0
  const letters = words.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) {
    return otherwise
  }

  return rightToLeft * 2 > letters ? 'rtl' : 'ltr'
}

type Markdown = InstanceType<typeof MarkdownIt>
type Token = ReturnType<Markdown['parse']>[number]

type ArticleHeading = { id: string; text: string; level: number }

/** An article as safe HTML, its direction, and the headings of its list of contents. */
export type RenderedArticle = { html: string; direction: Direction; headings: ArticleHeading[] }

/** Rendered articles by their text; some hundred lessons at most are read at a time. */
const rendered = new LRUCache<string, RenderedArticle>({ max: 500 })

/** An operator's article, whose own title is the page's: its headings start at the second level. */
export function renderArticle(text: string): RenderedArticle {
  const known = rendered.get(text)
  if (known) {
    return known
  }

  const tokens = article.parse(text, {})
  const result: RenderedArticle = {
    html: article.renderer.render(tokens, article.options, {}),
    direction: directionOf(text),
    headings: headingsIn(tokens),
  }

  rendered.set(text, result)

  return result
}

/** Those of the two highest levels; deeper ones would make the list too long. */
function headingsIn(tokens: readonly Token[]): ArticleHeading[] {
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open' || Number(token.tag.slice(1)) > 3) {
      return []
    }

    const text = (tokens[index + 1]?.children ?? []).map(({ content }) => content).join('')
    return [{ id: String(token.attrGet('id')), text, level: Number(token.tag.slice(1)) }]
  })
}

/**
 * Version of the output of `renderNote`: after a change, stored notes are rendered again when they
 * are shown.
 */
export const noteRendering = 1

/**
 * A learner's note.
 *
 * @returns null if it would become much longer than it is, for example by a link that it repeats.
 */
export function renderNote(text: string): string | null {
  const lines = text.split('\n')
  const columns = Math.max(...lines.map((line) => line.split('|').length))
  const html = (lines.length * columns > mostCells ? noteWithoutTables : note).render(text)

  return html.length <= noteLimits.html ? html : null
}

/** Plain text, for anything that can't be rendered. */
export function renderPlain(text: string): string {
  return `<p>${note.utils.escapeHtml(text)}</p>`
}
