import MarkdownIt from 'markdown-it'
import { formulaAt, formulaHtml, formulaProblem } from './formula.server'

type Markdown = InstanceType<typeof MarkdownIt>
type BlockRule = Parameters<Markdown['block']['ruler']['at']>[1]
type Token = ReturnType<Markdown['parse']>[number]

/** Teaches a Markdown renderer formulas: `$...$` within a line, `$$...$$` within one or as a paragraph. Code is left alone. */
export function addFormulas(markdown: Markdown): void {
  markdown.inline.ruler.after('backticks', 'formula', (state, silent) => {
    const formula = formulaAt(state.src, state.pos)
    if (!formula) return false
    if (!silent) state.push('formula', formula.display ? 'display' : '', 0).content = formula.tex
    state.pos = formula.end
    return true
  })
  markdown.block.ruler.before('fence', 'formula_block', formulaBlock, { alt: ['paragraph', 'blockquote', 'list'] })
  markdown.renderer.rules.formula = (tokens, index) => formulaHtml(formulaOf(tokens[index]))
  // Scrolled by keyboard, too, when it is wide.
  markdown.renderer.rules.formula_block = (tokens, index) =>
    `<div class="formula" tabindex="0">${formulaHtml(formulaOf(tokens[index]))}</div>\n`
}

/** `$$` at the start of a line up to `$$` at the end of one; behind it nothing else may stand there. */
const formulaBlock: BlockRule = (state, start, end, silent) => {
  const first = (state.bMarks[start] ?? 0) + (state.tShift[start] ?? 0)
  if (!state.src.startsWith('$$', first) || (state.sCount[start] ?? 0) - state.blkIndent >= 4) return false
  const lines = state.getLines(start, end, state.sCount[start] ?? 0, false)
  const formula = formulaAt(lines, 0)
  if (!formula || !/^[ \t]*(\n|$)/.test(lines.slice(formula.end))) return false
  if (silent) return true
  const token = state.push('formula_block', '', 0)
  token.content = formula.tex
  state.line = start + lines.slice(0, formula.end).split('\n').length
  token.map = [start, state.line]
  return true
}

function formulaOf(token: Token | undefined) {
  return { tex: token?.content ?? '', display: token?.type === 'formula_block' || token?.tag === 'display' }
}

const markdown = new MarkdownIt()
addFormulas(markdown)

/** @returns a sentence for each formula of an article that cannot be drawn, with its line from 1. */
export function articleFormulaProblems(article: string): { line: number; problem: string }[] {
  let line = 1
  return markdown.parse(article, {}).flatMap((block) => {
    // A table's cells name no line: that of their row stands.
    if (block.map) line = block.map[0] + 1
    return [block, ...(block.children ?? [])].flatMap((token) => {
      if (token.type === 'softbreak' || token.type === 'hardbreak') line++
      const problem = token.type.startsWith('formula') ? formulaProblem(formulaOf(token)) : null
      return problem ? [{ line, problem }] : []
    })
  })
}
