import type MarkdownIt from 'markdown-it'

/**
 * Limits what a Markdown text may become. A few thousand characters can describe a table with a
 * million cells, or repeat a long link thousands of times. Rendering such a text would stop the
 * server for seconds, and an email with it would have many megabytes.
 *
 * The limit holds in every renderer that `addSizeLimit` has extended: parsing stops early, and a
 * sentence is rendered instead of the text. `findSizeProblem` lets forms refuse such a text.
 */

type Markdown = InstanceType<typeof MarkdownIt>
type BlockRule = Parameters<Markdown['block']['ruler']['at']>[1]
type InlineRule = Parameters<Markdown['inline']['ruler']['at']>[1]
type BlockState = Parameters<BlockRule>[0]
type Token = ReturnType<Markdown['parse']>[number]

/** The most cells of one table. A short row is filled up to the width of its table. */
const maxTableCells = 5_000

/** The most elements and pieces of text of a rendered text. */
const maxTokens = 30_000

/** The most bytes of a rendered text. Its tags count only with their links and formulas. */
const maxBytes = 2_000_000

/** A character of TeX becomes at most about 70 bytes of MathML, as a line break of `align` does. */
const bytesPerFormulaCharacter = 80

/** The most pictures inside each other, each in the description of the next. */
const maxPictureNesting = 4
const pictureStart = '!['

const tooLargeText = 'This text is too large to be shown.'

type ParserEnvironment = { isTooLarge?: boolean }

/** Extends a renderer by the limit. */
export function addSizeLimit(markdown: Markdown): void {
  markdown.block.ruler.before('table', 'size_limit', stopAtLimit)
  markdown.inline.ruler.before('image', 'size_limit', stopAtNestedPictures)

  markdown.core.ruler.push('size_limit', (state) => {
    const environment = state.env as ParserEnvironment
    if (environment.isTooLarge || exceedsLimits(markdown, state.tokens)) {
      environment.isTooLarge = true
      state.tokens = createParagraph(state)
    }
  })
}

/**
 * Checks whether a text is within the limit.
 *
 * @returns a sentence for the author of the text, or null
 */
export function findSizeProblem(markdown: Markdown, text: string): string | null {
  const environment: ParserEnvironment = {}
  markdown.parse(text, environment)

  return environment.isTooLarge
    ? 'This text becomes too large: it has a table with thousands of cells, repeats a long link, nests pictures, or has long formulas. Split or shorten it.'
    : null
}

/** Runs at the start of each block, and skips the rest of a text that is too large already. */
const stopAtLimit: BlockRule = (state, startLine, endLine, silent) => {
  const isTooLarge =
    state.tokens.length > maxTokens || countTableCells(state, startLine, endLine) > maxTableCells
  if (silent || !isTooLarge) {
    return false
  }

  const environment = state.env as ParserEnvironment
  environment.isTooLarge = true
  state.line = endLine

  return true
}

/** @returns the number of cells of the table that starts at a line, or 0 if none starts there */
function countTableCells(state: BlockState, startLine: number, endLine: number): number {
  const delimiterRow = readLine(state, startLine + 1)
  if (startLine + 2 > endLine || !/^[ \t|:-]*-[ \t|:-]*$/.test(delimiterRow)) {
    return 0
  }

  let rows = 0
  while (startLine + rows < endLine && !state.isEmpty(startLine + rows)) {
    rows += 1
  }

  const columns = delimiterRow
    .trim()
    .replaceAll(/^\||\|$/g, '')
    .split('|').length
  return rows * columns
}

/**
 * Runs at each place in a paragraph, and skips the rest of a paragraph whose pictures are nested
 * too deeply. The parser parses the description of each picture by a nested call, so that it would
 * parse the innermost description once for each level.
 */
const stopAtNestedPictures: InlineRule = (state, silent) => {
  const isPicture = state.src.startsWith(pictureStart, state.pos)
  if (silent || !isPicture || !isNestedTooDeeply(state.src.slice(state.pos, state.posMax))) {
    return false
  }

  const environment = state.env as ParserEnvironment
  environment.isTooLarge = true
  state.pos = state.posMax

  return true
}

/** Matches escaped characters and code, whose brackets mean nothing, and the other brackets. */
const brackets = /\\.|`+[^`]*`+|!\[|\[|\]/g

/** @param text a text that starts with a picture */
function isNestedTooDeeply(text: string): boolean {
  const openBrackets: string[] = []
  let pictures = 0
  for (const [bracket] of text.matchAll(brackets)) {
    if (bracket === pictureStart || bracket === '[') {
      openBrackets.push(bracket)
      pictures += Number(bracket === pictureStart)
    } else if (bracket === ']') {
      pictures -= Number(openBrackets.pop() === pictureStart)
    }

    if (pictures > maxPictureNesting) {
      return true
    }

    if (openBrackets.length === 0) {
      return false
    }
  }

  return false
}

function readLine(state: BlockState, line: number): string {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
  return state.src.slice(start, state.eMarks[line] ?? start)
}

function exceedsLimits(markdown: Markdown, blocks: readonly Token[]): boolean {
  let tokens = 0
  let bytes = 0
  for (const block of blocks) {
    for (const token of [block, ...(block.children ?? [])]) {
      tokens += 1
      bytes += countBytes(markdown, token)
    }
  }

  return tokens > maxTokens || bytes > maxBytes
}

/** Returns the bytes of the texts that a token is rendered with. HTML escapes some characters. */
function countBytes({ utils }: Markdown, token: Token): number {
  if (token.type === 'formula' || token.type === 'formula_block') {
    return token.content.length * bytesPerFormulaCharacter
  }

  const texts = (token.attrs ?? []).map(([, value]) => String(value))
  // The content of an inline token is Markdown. Its children have the texts.
  if (token.type !== 'inline') {
    texts.push(token.content)
  }

  return Buffer.byteLength(utils.escapeHtml(texts.join('')))
}

function createParagraph({
  Token,
}: Parameters<Parameters<Markdown['core']['ruler']['push']>[1]>[0]) {
  const text = new Token('text', '', 0)
  text.content = tooLargeText

  const inline = new Token('inline', '', 0)
  inline.content = tooLargeText
  inline.children = [text]

  return [new Token('paragraph_open', 'p', 1), inline, new Token('paragraph_close', 'p', -1)]
}
