import { LRUCache } from 'lru-cache'
import MarkdownIt from 'markdown-it'
import temml from 'temml'

/**
 * Formulas in TeX between dollar signs: `$x^2$` within a line, and `$$x^2$$` on a line of its own.
 *
 * Texts contain dollars as well. `findFormulaAt` tells the two apart, so that authors don't have to
 * escape prices. Readers see a formula that can't be drawn as it was written. The content check
 * refuses such a formula.
 */

const { escapeHtml } = new MarkdownIt().utils

/** What is needed to draw a formula. */
export type FormulaSource = {
  tex: string
  /** Whether the formula is shown on a line of its own. */
  isBlock: boolean
}
type Formula = FormulaSource & {
  /** The position in the text after the closing dollar sign. */
  end: number
}

/*
 * These patterns have no repetition that could match the same characters as its neighbor. They take
 * time in proportion to the length of a text, also for a text that someone wrote to stop the
 * server.
 */

/** Matches a price with words after it. No formula begins like '5 per' or '5 (or so'. */
const priceWithWords = /^\d[^\\]*[\s(]\p{L}{2}/u
/** Matches a text between two dollars, like 'HOME is set, unlike'. */
const severalWords = /\p{L}{2}[,;:]?\s+\p{L}{2}/u
/**
 * Matches a name after a dollar sign, as in '$HOME:$PATH', but not an ending, as in '$n$th' or
 * '$x$s'.
 */
const nameAfterDollar = /^(?!(?:th|st|nd|rd|s)(?![A-Za-z0-9_]))[A-Za-z0-9_{]/

/**
 * Returns the formula that begins at a position of a text.
 *
 * These dollar signs begin no formula: one that follows a letter or digit ('R$12') or precedes a
 * space, one whose closing sign follows a space or precedes a name or digit ('$3-$4',
 * '$HOME:$PATH'), two with plain words between them, and `\$`.
 *
 * @returns null if no formula begins there
 */
export function findFormulaAt(text: string, position: number): Formula | null {
  if (text[position] !== '$') {
    return null
  }

  const isBlock = text[position + 1] === '$'
  const sign = isBlock ? '$$' : '$'
  const start = position + sign.length
  const close = findClosingSign(text, start, sign)
  if (close === null) {
    return null
  }

  const tex = text.slice(start, close)
  const end = close + sign.length
  if (tex.trim() === '') {
    return null
  }

  const textBefore = text[position - 1] ?? ''
  const textAfter = text.slice(end, end + 4)
  if (!isBlock && (/[A-Za-z0-9]/.test(textBefore) || isPlainText(tex, textAfter))) {
    return null
  }

  return { tex: tex.trim(), isBlock, end }
}

/**
 * Returns whether the text between two dollar signs is plain text, so that the signs mean dollars.
 */
function isPlainText(text: string, textAfter: string): boolean {
  if (/^\s|\s$/.test(text) || nameAfterDollar.test(textAfter) || priceWithWords.test(text)) {
    return true
  }

  // Commands and their arguments are not words, as in `\text{for all}`.
  const textWithoutCommands = text.replaceAll(/\\[A-Za-z]+\*?(\s*\{[^{}]*\})?/g, ' \\ ')
  return severalWords.test(textWithoutCommands)
}

/** Returns the position of the closing sign, or null if the paragraph ends before one. */
function findClosingSign(text: string, start: number, sign: string): number | null {
  for (let position = start; position < text.length; position++) {
    if (text[position] === '\\') {
      // A backslash escapes the next character.
      position++
    } else if (text.startsWith(sign, position)) {
      return position
    } else if (/^\n[ \t]*\n/.test(text.slice(position, position + 80))) {
      return null
    }
  }

  return null
}

/** The largest size of a rule or space in ems, so that none is wider than a page. */
const maxSize: [number, number] = [20, 20]

/** The most characters of a formula. */
const maxFormulaLength = 2_000

/** Matches the definition of a macro. */
const macroDefinition = /\\(?:[egx]?def|(?:re)?newcommand|providecommand)(?![A-Za-z])/

/**
 * Refuses formulas whose drawing would stop the server: long ones, and ones that define macros. A
 * short formula with macros can become millions of characters.
 *
 * @throws {Error} with the formula's problem as its message
 */
export function requireSmallFormula(tex: string): void {
  if (tex.length > maxFormulaLength) {
    throw new Error('It has more than 2,000 characters.')
  }

  if (macroDefinition.test(tex)) {
    throw new Error('It defines a macro.')
  }
}

/**
 * Renders a formula as MathML, which browsers draw by themselves. Inline styles are removed,
 * because the page's content security policy forbids them. `formula.css` has the same styles by
 * class.
 *
 * @throws {Error} with the formula's problem as its message
 */
export function renderFormula({ tex, isBlock }: FormulaSource): string {
  requireSmallFormula(tex)

  try {
    const html = temml.renderToString(tex, { displayMode: isBlock, throwOnError: true, maxSize })
    return html.replaceAll(/ style="[^"]*"/g, '')
  } catch (error) {
    throw new Error(describeProblem(error))
  }
}

/** Describes an error of Temml, without its excerpt, because our sentence quotes the formula. */
function describeProblem(error: unknown): string {
  // Temml throws another error if a superscript or subscript is missing.
  if (!(error instanceof temml.ParseError)) {
    return 'Something is missing in it.'
  }

  const message = (error as Error).message.trim()
  return `${message.replace(/ at (position \d+|end of input):.*$/s, ' at $1')}.`
}

/** Rendering a formula is slow enough to delay other requests. */
const renderedFormulas = new LRUCache<string, string>({
  maxSize: 4_000_000,
  sizeCalculation: (html, key) => html.length + key.length,
})

/** Renders a formula for readers. A formula that can't be drawn is shown as it was written. */
export function renderFormulaForReaders(formula: FormulaSource): string {
  const key = `${formula.isBlock} ${formula.tex}`
  const html = renderedFormulas.get(key) ?? renderFormulaOrSource(formula)
  renderedFormulas.set(key, html)

  return html
}

function renderFormulaOrSource(formula: FormulaSource): string {
  try {
    return renderFormula(formula)
  } catch {
    return `<code>${escapeHtml(formula.tex)}</code>`
  }
}

/**
 * Returns the problem of a formula as a sentence for its author, or null if the formula is valid.
 */
export function findFormulaProblem(formula: FormulaSource): string | null {
  try {
    renderFormula(formula)
    return null
  } catch (error) {
    const { tex } = formula
    const excerpt = tex.length > maxFormulaLength ? `${tex.slice(0, 40)}…` : tex
    return `The formula \`${excerpt}\` can’t be drawn: ${(error as Error).message} Correct it, or write \\$ if it’s a dollar.`
  }
}

/**
 * Renders the texts of a page that contain formulas or `code`. Other Markdown is not rendered, and
 * the rest of a text is escaped.
 *
 * @param data a text, or lists and objects of texts
 * @returns the HTML by text
 */
export function renderFormulaTexts(data: unknown): Record<string, string> {
  if (data instanceof Object) {
    return Object.assign({}, ...Object.values(data).map(renderFormulaTexts))
  }

  if (typeof data !== 'string' || !/[$`]/.test(data)) {
    return {}
  }

  let html = ''
  let end = 0
  for (const { 0: span, 2: code = '', index } of data.matchAll(codeSpan)) {
    html += renderTextWithFormulas(data.slice(end, index))
    html += `<code>${escapeHtml(code)}</code>`
    end = index + span.length
  }

  html += renderTextWithFormulas(data.slice(end))

  const hasOnlyText = html === escapeHtml(data)
  return hasOnlyText ? {} : { [data]: html }
}

/**
 * Matches code between equally many backticks, as in Markdown. A dollar sign in code is no formula.
 */
const codeSpan = /(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g

function renderTextWithFormulas(text: string): string {
  return splitFormulas(text)
    .map((part) => (typeof part === 'string' ? escapeHtml(part) : renderFormulaForReaders(part)))
    .join('')
}

/**
 * Splits a text without Markdown into its formulas and the text between them. `\$` becomes a dollar
 * sign.
 */
export function splitFormulas(text: string): (string | Formula)[] {
  const parts: (string | Formula)[] = []
  let plainText = ''
  let position = 0
  while (position < text.length) {
    const formula = findFormulaAt(text, position)
    if (formula) {
      parts.push(plainText, formula)
      plainText = ''
      position = formula.end
    } else if (text.startsWith('\\$', position)) {
      plainText += '$'
      position += 2
    } else {
      plainText += text[position]
      position += 1
    }
  }

  parts.push(plainText)

  return parts.filter((part) => part !== '')
}
