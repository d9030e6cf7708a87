/**
 * Writes formulas as plain text, for titles, tabs and other places that show no MathML: `$x^2$`
 * becomes `x²`, and `$\frac{a}{b}$` becomes `a/b`.
 *
 * Temml turns the TeX into MathML, whose elements are written from the inside out. What plain text
 * can't show well, such as a matrix, stays as the author wrote it.
 */
import { decodeXML } from 'entities'
import temml from 'temml'
import { requireSmallFormula, splitFormulas } from './formula.server'

/** An element of MathML with its children, or a text. */
type FormulaNode = {
  type?: string
  text?: string
  attributes?: Record<string, string>
  children?: FormulaNode[]
}

/** Returns a text with its formulas as readable text. Dollar signs that begin no formula stay. */
export function writeFormulasAsText(text: string): string {
  if (!text.includes('$')) {
    return text
  }

  return splitFormulas(text)
    .map((part) => {
      if (typeof part === 'string') {
        return part
      }

      const sign = part.isBlock ? '$$' : '$'
      return formatFormula(part.tex) ?? `${sign}${part.tex}${sign}`
    })
    .join('')
}

/** Returns a formula as readable text, or null if it can't be written as text. */
export function formatFormula(tex: string): string | null {
  try {
    requireSmallFormula(tex)
    const tree = parseMathMl(temml.renderToString(tex, { throwOnError: true }))
    return hasTable(tree) ? null : writeNode(tree).replaceAll(/\s+/g, ' ').trim() || null
  } catch {
    return null
  }
}

/** Matches a tag with its slashes, name and attributes, or the text between two tags. */
const mathMlToken =
  /<(?<isEnd>\/?)(?<type>\w+)(?<attributes>[^>]*?)(?<isEmpty>\/?)>|(?<text>[^<]+)/g

/** Parses the MathML of Temml, which closes every element and quotes every attribute. */
function parseMathMl(mathMl: string): FormulaNode {
  const root: Required<Pick<FormulaNode, 'children'>> = { children: [] }
  const openElements = [root]

  for (const { groups } of mathMl.matchAll(mathMlToken)) {
    const parent = openElements.at(-1) ?? root
    if (groups?.text !== undefined) {
      parent.children.push({ text: decodeXML(groups.text) })
    } else if (groups?.isEnd) {
      openElements.pop()
    } else {
      const attributes = parseAttributes(groups?.attributes ?? '')
      const element = { type: groups?.type, attributes, children: [] }
      parent.children.push(element)
      if (!groups?.isEmpty) {
        openElements.push(element)
      }
    }
  }

  return root
}

function parseAttributes(text: string): Record<string, string> {
  const attributes = text.matchAll(/([\w-]+)="([^"]*)"/g)
  return Object.fromEntries([...attributes].map(([, name, value]) => [name, value]))
}

/** Returns whether the formula has rows and columns, which a line of text can't show. */
function hasTable({ type, children = [] }: FormulaNode): boolean {
  return type === 'mtable' || children.some(hasTable)
}

const writers: Record<string, (node: FormulaNode) => string> = {
  mo: writeOperator,
  mspace: ({ attributes }) => (Number.parseFloat(attributes?.width ?? '0') > 0 ? ' ' : ''),
  mfrac: (node) => `${writeGroup(node, 0)}/${writeGroup(node, 1)}`,
  msqrt: (node) => `√${groupText(writeChildren(node))}`,
  mroot: (node) => `${writeScript(superscripts, '^', writeChild(node, 1))}√${writeGroup(node, 0)}`,
  msup: (node) => writeChild(node, 0) + writeScript(superscripts, '^', writeChild(node, 1)),
  msub: (node) => writeChild(node, 0) + writeScript(subscripts, '_', writeChild(node, 1)),
  msubsup: writeBothScripts,
  mover: writeAccent,
  munder: (node) => writeChild(node, 0) + writeScript(subscripts, '_', writeChild(node, 1)),
  munderover: writeBothScripts,
}

function writeNode(node: FormulaNode): string {
  if (node.text !== undefined) {
    // Function names end with an invisible character that applies the function.
    return node.text.replaceAll('\u2061', '')
  }

  const write = writers[node.type ?? '']
  return write ? write(node) : writeChildren(node)
}

function writeChildren({ children = [] }: FormulaNode): string {
  return children.map(writeNode).join('')
}

function writeChild({ children = [] }: FormulaNode, index: number): string {
  const child = children[index]
  return child ? writeNode(child) : ''
}

function writeGroup(node: FormulaNode, index: number): string {
  return groupText(writeChild(node, index))
}

/** Adds parentheses to a text that would otherwise be read in another order. */
function groupText(text: string): string {
  const trimmedText = text.trim()
  return /[\s+\u2212/]/.test(trimmedText) ? `(${trimmedText})` : trimmedText
}

const spacedOperators = new Set('=≠<>≤≥≈≡∼≅∝+−±×÷⋅·∈∉⊂⊆∪∩→⇒⇔↔∧∨∣'.split(''))

/** Writes spaces around an operator between two values, and none after a sign, as in '−x'. */
function writeOperator(node: FormulaNode): string {
  const text = writeChildren(node)
  const isBetweenValues = spacedOperators.has(text) && node.attributes?.form !== 'prefix'
  return isBetweenValues ? ` ${text} ` : text
}

const superscripts = createScripts(
  '0123456789+−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW′',
  '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ′',
)
const subscripts = createScripts(
  '0123456789+−=()aehijklmnoprstuvx',
  '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ',
)

function createScripts(characters: string, scripts: string): ReadonlyMap<string, string> {
  const scriptCharacters = [...scripts]
  return new Map(
    [...characters].map((character, index) => [character, scriptCharacters[index] ?? '']),
  )
}

/** Writes small characters if Unicode has them all, and otherwise as in TeX: 'x^(a/b)'. */
function writeScript(scripts: ReadonlyMap<string, string>, sign: string, text: string): string {
  const characters = [...text.replaceAll(' ', '')]
  if (characters.every((character) => scripts.has(character))) {
    return characters.map((character) => scripts.get(character)).join('')
  }

  return characters.length === 1 ? `${sign}${text}` : `${sign}(${text.trim()})`
}

function writeBothScripts(node: FormulaNode): string {
  return (
    writeChild(node, 0) +
    writeScript(subscripts, '_', writeChild(node, 1)) +
    writeScript(superscripts, '^', writeChild(node, 2))
  )
}

/** Combining characters by the accents of MathML. */
const accents: ReadonlyMap<string, string> = new Map([
  ['ˆ', '\u0302'],
  ['^', '\u0302'],
  ['‾', '\u0304'],
  ['¯', '\u0304'],
  ['ˉ', '\u0304'],
  ['~', '\u0303'],
  ['˜', '\u0303'],
  ['˙', '\u0307'],
  ['¨', '\u0308'],
  ['→', '\u20d7'],
  ['⃗', '\u20d7'],
])

/** Writes an accent on a single letter, as in 'ŷ'. */
function writeAccent(node: FormulaNode): string {
  const base = writeChild(node, 0)
  const over = writeChild(node, 1).trim()
  const accent = accents.get(over)
  if (accent && [...base].length === 1) {
    return (base + accent).normalize('NFC')
  }

  return base + writeScript(superscripts, '^', over)
}
