import { LRUCache } from 'lru-cache'
import MarkdownIt from 'markdown-it'
import temml from 'temml'

const { escapeHtml } = new MarkdownIt().utils

/** A formula and where it ends; `display` ones stand on a line of their own. */
export type Formula = { tex: string; display: boolean; end: number }

/** Read as a price with words after it: no formula begins like '5 per', or like '5 (or so'. */
const priceWithWords = /^\d[\d.,]*(\s+[A-Za-z]{2}|[^\\]*[\s(]\p{L}{2,})/u
/** Read as a text between two dollars, like 'HOME is set, unlike'. */
const words = /\p{L}{2,}[,;:]?\s+\p{L}{2,}/u
/** Text that may follow a formula: '$n$th', '$x$s', but not a name as in '$HOME:$PATH'. */
const nameBehind = /^(?!(?:th|st|nd|rd|s)(?![A-Za-z0-9_]))[A-Za-z0-9_{]/

/**
 * The formula that begins at a dollar sign: `$x^2$`, or `$$x^2$$` on its own line. These are
 * dollars: a sign followed by a space, behind a letter or digit ('R$12'), one that closes after a
 * space or before a name or digit ('$3-$4', '$HOME:$PATH'), two with plain words between them, and
 * `\$`.
 *
 * @returns null for dollars.
 */
export function formulaAt(text: string, at: number): Formula | null {
  if (text[at] !== '$') {
    return null
  }

  const display = text[at + 1] === '$'
  const start = at + (display ? 2 : 1)
  const close = closeOf(text, start, display ? '$$' : '$')
  if (close === -1) {
    return null
  }

  const tex = text.slice(start, close)
  if (tex.trim() === '') {
    return null
  }

  if (
    !display &&
    (/[A-Za-z0-9]/.test(text[at - 1] ?? '') || readsAsText(tex, text.slice(close + 1, close + 5)))
  ) {
    return null
  }

  return { tex: tex.trim(), display, end: close + (display ? 2 : 1) }
}

function readsAsText(tex: string, behind: string): boolean {
  if (/^\s|\s$/.test(tex) || nameBehind.test(behind) || priceWithWords.test(tex)) {
    return true
  }

  return words.test(tex.replaceAll(/\\[A-Za-z]+\*?(\s*\{[^{}]*\})?/g, ' \\ '))
}

/** -1 if the paragraph ends before it. */
function closeOf(text: string, start: number, sign: string): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') {
      at++
    } else if (text.startsWith(sign, at)) {
      return at
    } else if (/^\n[ \t]*\n/.test(text.slice(at, at + 80))) {
      return -1
    }
  }

  return -1
}

/** In ems, so that no rule or space is wider than a page. */
const maxSize: [number, number] = [20, 20]

/**
 * A formula as MathML, which browsers draw by themselves. Its inline styles go, because the page's
 * policy forbids them: `formula.css` says the same by class.
 *
 * @throws {Error} with the formula's problem as its message.
 */
export function renderFormula({ tex, display }: Pick<Formula, 'tex' | 'display'>): string {
  try {
    const html = temml.renderToString(tex, { displayMode: display, throwOnError: true, maxSize })
    return html.replaceAll(/ style="[^"]*"/g, '')
  } catch (error) {
    throw new Error(reasonOf(error))
  }
}

/** Without Temml's excerpt, because our sentence quotes the formula. */
function reasonOf(error: unknown): string {
  // Temml fails like that where a superscript or subscript is missing.
  if (!(error instanceof temml.ParseError)) {
    return 'Something is missing in it.'
  }

  const text = (error as Error).message.trim()
  return `${text.replace(/ at (position \d+|end of input):.*$/s, ' at $1')}.`
}

/** Cached, because rendering a formula is slow enough to delay other requests. */
const drawn = new LRUCache<string, string>({
  maxSize: 4_000_000,
  sizeCalculation: (html, key) => html.length + key.length,
})

/**
 * The same for readers: a formula that cannot be drawn is shown as it was written. The content
 * check refuses it.
 */
export function formulaHtml({ tex, display }: Pick<Formula, 'tex' | 'display'>): string {
  const key = `${display} ${tex}`
  const html = drawn.get(key) ?? drawForReaders({ tex, display })
  drawn.set(key, html)

  return html
}

function drawForReaders(formula: Pick<Formula, 'tex' | 'display'>): string {
  try {
    return renderFormula(formula)
  } catch {
    return `<code>${escapeHtml(formula.tex)}</code>`
  }
}

/** The problem of a formula, as a sentence of the content check; null if it is valid. */
export function formulaProblem(formula: Pick<Formula, 'tex' | 'display'>): string | null {
  try {
    renderFormula(formula)
    return null
  } catch (error) {
    return `The formula \`${formula.tex}\` can’t be drawn: ${(error as Error).message} Correct it, or write \\$ if it’s a dollar.`
  }
}

/**
 * Renders the texts with formulas or `code` in a page's data, as HTML by text. No other Markdown;
 * the rest is escaped.
 *
 * @param data texts, and lists and objects of them.
 */
export function formulasIn(data: unknown): Record<string, string> {
  if (data instanceof Object) {
    return Object.assign({}, ...Object.values(data).map(formulasIn))
  }

  if (typeof data !== 'string' || !/[$`]/.test(data)) {
    return {}
  }

  const html: string[] = []
  let end = 0
  for (const { 0: span, 2: code = '', index } of data.matchAll(codeSpan)) {
    html.push(withFormulas(data.slice(end, index)), `<code>${escapeHtml(code)}</code>`)
    end = index + span.length
  }

  html.push(withFormulas(data.slice(end)))

  return html.join('') === escapeHtml(data) ? {} : { [data]: html.join('') }
}

/** Between equally many backticks, as in Markdown. A dollar in it is a dollar. */
const codeSpan = /(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g

function withFormulas(text: string): string {
  return splitFormulas(text)
    .map((part) => (typeof part === 'string' ? escapeHtml(part) : formulaHtml(part)))
    .join('')
}

/** The formulas and the text between them of a text that is no Markdown; `\$` is a dollar. */
export function splitFormulas(text: string): (string | Formula)[] {
  const parts: (string | Formula)[] = []
  let plain = ''
  for (let at = 0; at < text.length; at++) {
    const formula = formulaAt(text, at)
    if (formula) {
      if (plain !== '') {
        parts.push(plain)
      }

      parts.push(formula)
      plain = ''
      at = formula.end - 1
    } else if (text[at] === '\\' && text[at + 1] === '$') {
      plain += text[++at]
    } else {
      plain += text[at]
    }
  }

  return plain === '' ? parts : [...parts, plain]
}
