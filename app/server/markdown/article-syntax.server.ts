import MarkdownIt from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import { type FormulaSource, findFormulaAt, renderFormulaForReaders } from './formula.server'
import { addSizeLimit } from './markdown-size.server'

type Markdown = InstanceType<typeof MarkdownIt>
type BlockRule = Parameters<Markdown['block']['ruler']['at']>[1]
type BlockState = Parameters<BlockRule>[0]
type Token = ReturnType<Markdown['parse']>[number]

/**
 * Adds formulas, callouts and a size limit to CommonMark and tables. Bold and italics also work
 * next to Chinese and Japanese punctuation.
 */
export function addArticleSyntax(markdown: Markdown): void {
  markdown.use(cjkFriendly)
  addFormulas(markdown)
  addCallouts(markdown)
  addSizeLimit(markdown)
}

/** Creates a parser of articles that also finds HTML, which readers would see as text. */
export function createArticleParser(): Markdown {
  const parser = new MarkdownIt({ html: true })
  addArticleSyntax(parser)

  return parser
}

/** The titles of callouts by their names in `> [!NOTE]` or `::: note`. */
export const calloutTitles: Record<string, string> = {
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
}
const calloutNames = Object.keys(calloutTitles).join('|')
const quotedCallout = new RegExp(`^\\[!(${calloutNames})\\][ \\t]*(?:\\n|$)`, 'i')
const fencedCallout = new RegExp(`^:::+[ \\t]*(${calloutNames})(?:[ \\t]+(\\S.*?))?[ \\t]*$`, 'i')
const fencedCalloutEnd = /^:::+[ \t]*$/

/**
 * Adds callouts in two notations: GitHub's `> [!NOTE]`, and `::: note` up to `:::` with an optional
 * title after the name.
 */
function addCallouts(markdown: Markdown): void {
  markdown.core.ruler.before('inline', 'quoted_callout', ({ tokens }) => {
    for (const index of tokens.keys()) {
      convertQuotedCallout(tokens, index)
    }
  })

  markdown.block.ruler.before('fence', 'callout', parseFencedCallout, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
  markdown.renderer.rules.callout_open = (tokens, index) => {
    const { name = 'note', title } = tokens[index]?.meta ?? {}
    const displayedTitle = String(title ?? calloutTitles[String(name)] ?? '')
    const titleHtml = markdown.utils.escapeHtml(displayedTitle)
    return `<div class="callout callout-${name}" role="note"><p class="callout-title">${titleHtml}</p>\n`
  }

  markdown.renderer.rules.callout_close = () => '</div>\n'
}

/** Turns the block quote at the index into a callout if its text starts with `[!NAME]`. */
function convertQuotedCallout(tokens: Token[], index: number): void {
  const quote = tokens[index]
  const inline = tokens[index + 2]
  if (quote?.type !== 'blockquote_open' || inline?.type !== 'inline') {
    return
  }

  const [marker, name = ''] = quotedCallout.exec(inline.content) ?? []
  const quoteEnd = findQuoteEnd(tokens, index)
  if (marker === undefined || !quoteEnd) {
    return
  }

  inline.content = inline.content.slice(marker.length)
  if (inline.content === '') {
    // Hides the paragraph that had only the marker. It would be empty.
    for (const token of tokens.slice(index + 1, index + 4)) {
      token.hidden = true
    }
  }

  quote.type = 'callout_open'
  quoteEnd.type = 'callout_close'
  quote.meta = { name: name.toLowerCase(), title: null }
}

/** Returns the end of the block quote at the index. Only the tokens of the quote are read. */
function findQuoteEnd(tokens: readonly Token[], start: number): Token | undefined {
  const level = tokens[start]?.level
  for (let index = start + 1; index < tokens.length; index++) {
    const token = tokens[index]
    if (token?.type === 'blockquote_close' && token.level === level) {
      return token
    }
  }

  return undefined
}

/** Parses `::: name` up to `:::`. Without an end marker, the block ends with its parent. */
const parseFencedCallout: BlockRule = (state, start, end, silent) => {
  const [, name, title] = fencedCallout.exec(getLine(state, start)) ?? []
  if (name === undefined || isCodeIndented(state, start)) {
    return false
  }

  if (silent) {
    return true
  }

  const endLine = findCalloutEnd(state, start + 1, end)

  const openToken = state.push('callout_open', 'div', 1)
  openToken.meta = { name: name.toLowerCase(), title }
  openToken.map = [start, endLine]
  openToken.block = true

  const parentLineMax = state.lineMax
  state.lineMax = endLine
  state.md.block.tokenize(state, start + 1, endLine)
  state.lineMax = parentLineMax

  state.push('callout_close', 'div', -1).block = true
  state.line = Math.min(endLine + 1, end)

  return true
}

/**
 * Returns the line of the end marker of a callout, or `end` if there is none. Callouts can be
 * nested.
 */
function findCalloutEnd(state: BlockState, start: number, end: number): number {
  let depth = 1
  for (let line = start; line < end; line++) {
    const text = getLine(state, line)
    if (fencedCallout.test(text)) {
      depth += 1
    } else if (fencedCalloutEnd.test(text)) {
      depth -= 1
    }

    if (depth === 0) {
      return line
    }
  }

  return end
}

/** Returns a line without its indentation. */
function getLine(state: BlockState, line: number): string {
  return state.src.slice(getLineStart(state, line), state.eMarks[line])
}

function getLineStart({ bMarks, tShift }: BlockState, line: number): number {
  return (bMarks[line] ?? 0) + (tShift[line] ?? 0)
}

/** In Markdown, a line that is indented by this many spaces is code. */
const codeIndentation = 4

function isCodeIndented({ sCount, blkIndent }: BlockState, line: number): boolean {
  return (sCount[line] ?? 0) - blkIndent >= codeIndentation
}

/** Adds formulas: `$...$` within a line, and `$$...$$` within a line or as a paragraph. */
function addFormulas(markdown: Markdown): void {
  markdown.inline.ruler.after('backticks', 'formula', (state, silent) => {
    const formula = findFormulaAt(state.src, state.pos)
    if (!formula) {
      return false
    }

    if (!silent) {
      const token = state.push('formula', formula.isBlock ? 'display' : '', 0)
      token.content = formula.tex
    }

    state.pos = formula.end

    return true
  })

  markdown.block.ruler.before('fence', 'formula_block', parseFormulaBlock, {
    alt: ['paragraph', 'blockquote', 'list'],
  })
  markdown.renderer.rules.formula = (tokens, index) =>
    renderFormulaForReaders(readFormula(tokens[index]))
  // A wide formula can be scrolled by keyboard, too.
  markdown.renderer.rules.formula_block = (tokens, index) =>
    `<div class="formula" tabindex="0">${renderFormulaForReaders(readFormula(tokens[index]))}</div>\n`
}

/** Parses a paragraph from `$$` at the start of a line to `$$` at the end of a line. */
const parseFormulaBlock: BlockRule = (state, start, end, silent) => {
  if (!state.src.startsWith('$$', getLineStart(state, start)) || isCodeIndented(state, start)) {
    return false
  }

  const text = getFormulaLines(state, start, end)
  const formula = findFormulaAt(text, 0)
  const endsLine = formula !== null && /^[ \t]*(\n|$)/.test(text.slice(formula.end))
  if (!endsLine) {
    return false
  }

  if (silent) {
    return true
  }

  const token = state.push('formula_block', '', 0)
  token.content = formula.tex
  state.line = start + text.slice(0, formula.end).split('\n').length
  token.map = [start, state.line]

  return true
}

/**
 * Returns the lines from a line that starts with `$$` to the line with the closing sign. Without
 * one, they end with the paragraph. The lines after them are not read, because each of them may
 * start with `$$` as well.
 */
function getFormulaLines(state: BlockState, start: number, end: number): string {
  let formulaEnd = start + 1
  let hasClosingSign = closingSign.test(getLine(state, start).slice('$$'.length))
  while (!hasClosingSign && formulaEnd < end && !state.isEmpty(formulaEnd)) {
    hasClosingSign = closingSign.test(getLine(state, formulaEnd))
    formulaEnd += 1
  }

  return state.getLines(start, formulaEnd, state.sCount[start] ?? 0, false)
}

/**
 * Matches the closing sign of a formula. A dollar sign after a backslash belongs to the formula.
 */
const closingSign = /(?<!\\)\$\$/

/** Returns the formula of a `formula` or `formula_block` token. */
export function readFormula(token: Token | undefined): FormulaSource {
  return {
    tex: token?.content ?? '',
    isBlock: token?.type === 'formula_block' || token?.tag === 'display',
  }
}
