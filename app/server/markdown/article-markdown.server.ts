import MarkdownIt from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import { findFormulaAt, findFormulaProblem, renderFormulaForReaders } from './formula.server'
import { addSizeLimit, findSizeProblem } from './markdown-size.server'

type Markdown = InstanceType<typeof MarkdownIt>
type BlockRule = Parameters<Markdown['block']['ruler']['at']>[1]
type BlockState = Parameters<BlockRule>[0]
type Token = ReturnType<Markdown['parse']>[number]

/**
 * Adds formulas, callouts and a size limit to CommonMark and tables. Bold and italics also work next
 * to Chinese and Japanese punctuation.
 */
export function addArticleSyntax(markdown: Markdown): void {
  markdown.use(cjkFriendly)
  addFormulas(markdown)
  addCallouts(markdown)
  addSizeLimit(markdown)
}

/** The titles of callouts by their names in `> [!NOTE]` or `::: note`. */
const callouts: Record<string, string> = {
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
}
const calloutNames = Object.keys(callouts).join('|')
const quotedCallout = new RegExp(`^\\[!(${calloutNames})\\][ \\t]*(?:\\n|$)`, 'i')
const fencedCallout = new RegExp(`^:::+[ \\t]*(${calloutNames})(?:[ \\t]+(\\S.*?))?[ \\t]*$`, 'i')
const fenceEnd = /^:::+[ \t]*$/

/** Adds GitHub's `> [!NOTE]`, and `::: note` up to `:::` with an optional title after the name. */
function addCallouts(markdown: Markdown): void {
  markdown.core.ruler.before('inline', 'quoted_callout', ({ tokens }) => {
    for (const index of tokens.keys()) {
      convertQuotedCallout(tokens, index)
    }
  })

  markdown.block.ruler.before('fence', 'callout', calloutBlock, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
  markdown.renderer.rules.callout_open = (tokens, index) => {
    const { name = 'note', title } = tokens[index]?.meta ?? {}
    const displayedTitle = markdown.utils.escapeHtml(String(title ?? callouts[String(name)] ?? ''))
    return `<div class="callout callout-${name}" role="note"><p class="callout-title">${displayedTitle}</p>\n`
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
  const quoteEnd = tokens
    .slice(index)
    .find(({ type, level }) => type === 'blockquote_close' && level === quote.level)
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

/** Parses `::: name` up to `:::`. Without an end marker, the block ends with its parent. */
const calloutBlock: BlockRule = (state, start, end, silent) => {
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

/** Returns the line of the end marker of a callout, or `end` if there is none. Callouts can be nested. */
function findCalloutEnd(state: BlockState, start: number, end: number): number {
  let depth = 1
  for (let line = start; line < end; line++) {
    const text = getLine(state, line)
    if (fencedCallout.test(text)) {
      depth += 1
    } else if (fenceEnd.test(text)) {
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
      state.push('formula', formula.display ? 'display' : '', 0).content = formula.tex
    }

    state.pos = formula.end

    return true
  })

  markdown.block.ruler.before('fence', 'formula_block', formulaBlock, {
    alt: ['paragraph', 'blockquote', 'list'],
  })
  markdown.renderer.rules.formula = (tokens, index) =>
    renderFormulaForReaders(readFormula(tokens[index]))
  // A wide formula can be scrolled by keyboard, too.
  markdown.renderer.rules.formula_block = (tokens, index) =>
    `<div class="formula" tabindex="0">${renderFormulaForReaders(readFormula(tokens[index]))}</div>\n`
}

/** Parses a paragraph from `$$` at the start of a line to `$$` at the end of a line. */
const formulaBlock: BlockRule = (state, start, end, silent) => {
  if (!state.src.startsWith('$$', getLineStart(state, start)) || isCodeIndented(state, start)) {
    return false
  }

  const text = state.getLines(start, end, state.sCount[start] ?? 0, false)
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

function readFormula(token: Token | undefined) {
  return {
    tex: token?.content ?? '',
    display: token?.type === 'formula_block' || token?.tag === 'display',
  }
}

/** HTML is parsed to find markup that readers would see as text. */
const markdown = new MarkdownIt({ html: true })
addArticleSyntax(markdown)

/** Returns a sentence for the author if the text would become too large to be shown, or null. */
export function findArticleSizeProblem(text: string): string | null {
  return findSizeProblem(markdown, text)
}

/** A text and the line of the article that it is about. */
type Finding = { line: number; text: string }

/** The parts of an article that are checked, each with its line number. */
type ArticleParts = {
  formulaProblems: Finding[]
  /** The URLs of links and pictures, as written. */
  links: (Finding & { picture: boolean })[]
  /** Sentences about markup that would be shown as text or rendered wrongly. */
  oddities: Finding[]
}

export function readArticleParts(article: string): ArticleParts {
  const parts: ArticleParts = { formulaProblems: [], links: [], oddities: findFrontMatter(article) }
  const sizeProblem = findArticleSizeProblem(article)
  if (sizeProblem) {
    parts.oddities.push({ line: 1, text: sizeProblem })
    return parts
  }

  let line = 1
  for (const block of markdown.parse(article, {})) {
    // Tokens of table cells have no line, so the row's line stays.
    if (block.map) {
      line = block.map[0] + 1
    }

    for (const token of [block, ...(block.children ?? [])]) {
      if (token.type === 'softbreak' || token.type === 'hardbreak') {
        line++
      }

      addToken(parts, token, line)
    }
  }

  return parts
}

function addToken(
  { formulaProblems, links, oddities }: ArticleParts,
  token: Token,
  line: number,
): void {
  const problem = token.type.startsWith('formula') ? findFormulaProblem(readFormula(token)) : null
  if (problem) {
    formulaProblems.push({ line, text: problem })
  }

  const isPicture = token.type === 'image'
  const url = isPicture ? token.attrGet('src') : token.attrGet('href')
  if (url && token.type !== 'heading_open') {
    links.push({ line, text: decodeUrl(String(url)), picture: isPicture })
  }

  if (token.type === 'html_block' || token.type === 'html_inline') {
    oddities.push({
      line,
      text: `HTML is shown as text: ${quoteExcerpt(token.content)}. Write it in Markdown, or as code.`,
    })
  }

  if (token.type === 'heading_open' && token.tag === 'h1') {
    oddities.push({
      line,
      text: 'Headings of an article start at `##`, because its title is the `#`. Add a `#`.',
    })
  }

  const [fence] = token.type === 'text' ? (/^:::+[ \t]*[\w-]*/.exec(token.content) ?? []) : []
  if (fence) {
    oddities.push({
      line,
      text: `\`${fence}\` is shown as text. Boxes are ${Object.keys(callouts).join(', ')}: \`::: note\`, its text, and \`:::\`.`,
    })
  }
}

/** Finds the settings that other programs read from the start of a Markdown file. */
function findFrontMatter(article: string): Finding[] {
  if (!/^---[ \t]*\r?\n(?:\w[\w-]*:.*\r?\n|[ \t-].*\r?\n)+---[ \t]*(\r?\n|$)/.test(article)) {
    return []
  }

  return [
    {
      line: 1,
      text: 'The lines between `---` (front matter) are shown as text. Delete them: course.yaml says all that.',
    },
  ]
}

/** Decodes a URL for readers. A URL with stray percent signs is returned unchanged. */
export function decodeUrl(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}

const maxExcerptLength = 40

/** Quotes the first line of HTML, shortened if it is long. */
function quoteExcerpt(html: string): string {
  const [line = ''] = html.trim().split('\n')
  const excerpt = line.length > maxExcerptLength ? `${line.slice(0, maxExcerptLength)}…` : line
  return `\`${excerpt}\``
}

/** Returns the anchors of an article's headings, in order. `explainedIn` names them after a `#`. */
export function listHeadingAnchors(article: string): string[] {
  return [...getHeadingAnchors(markdown.parse(article, {})).values()]
}

/**
 * Returns the anchor of each heading: its words in lowercase, joined by hyphens. A repeated heading
 * gets a number.
 */
export function getHeadingAnchors(tokens: readonly Token[]): Map<Token, string> {
  const anchors = new Map<Token, string>()
  const usedAnchors = new Set<string>()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') {
      continue
    }

    const words =
      (tokens[index + 1]?.content ?? '').toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
    // An anchor of digits would mean seconds of a video.
    const anchor = /\D/.test(words.join('')) ? words.join('-') : ['part', ...words].join('-')
    const uniqueAnchor = makeUnique(anchor, usedAnchors)
    usedAnchors.add(uniqueAnchor)
    anchors.set(token, uniqueAnchor)
  }

  return anchors
}

function makeUnique(anchor: string, usedAnchors: ReadonlySet<string>): string {
  let uniqueAnchor = anchor
  for (let number = 2; usedAnchors.has(uniqueAnchor); number++) {
    uniqueAnchor = `${anchor}-${number}`
  }

  return uniqueAnchor
}
