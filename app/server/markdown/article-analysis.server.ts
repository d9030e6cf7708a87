/**
 * Checks what authors write. The content check reports the problems of an article with their line
 * numbers, and checks its links against the course's files.
 */
import type MarkdownIt from 'markdown-it'
import { calloutTitles, createArticleParser, readFormula } from './article-syntax.server'
import { findFormulaProblem } from './formula.server'
import { findSizeProblem } from './markdown-size.server'

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

const parser = createArticleParser()

/** Returns a sentence for the author if the text would become too large to be shown, or null. */
export function findArticleSizeProblem(text: string): string | null {
  return findSizeProblem(parser, text)
}

/** A sentence for the author about a line of the article. */
type Problem = { line: number; text: string }

type ArticleAnalysis = {
  formulaProblems: Problem[]
  /** Markup that would be shown as text or rendered wrongly. */
  markupProblems: Problem[]
  links: ArticleLink[]
}

type ArticleLink = {
  line: number
  /** The URL of a link or picture, as written. */
  url: string
  isPicture: boolean
}

/** Finds the mistakes in an article that can be seen in its text alone, and the links to check. */
export function analyzeArticle(article: string): ArticleAnalysis {
  const analysis: ArticleAnalysis = {
    formulaProblems: [],
    markupProblems: findFrontMatter(article),
    links: [],
  }

  let line = 1
  for (const block of parser.parse(article, {})) {
    // Table cells have no line of their own, so the line of their row applies.
    if (block.map) {
      line = block.map[0] + 1
    }

    for (const token of [block, ...(block.children ?? [])]) {
      if (token.type === 'softbreak' || token.type === 'hardbreak') {
        line++
      }

      analyzeToken(analysis, token, line)
    }
  }

  return analysis
}

/** Adds the problems and the link of a token to the analysis. */
function analyzeToken(
  { formulaProblems, markupProblems, links }: ArticleAnalysis,
  token: Token,
  line: number,
): void {
  if (token.type === 'formula' || token.type === 'formula_block') {
    const problem = findFormulaProblem(readFormula(token))
    if (problem) {
      formulaProblems.push({ line, text: problem })
    }
  }

  const isPicture = token.type === 'image'
  const url = isPicture ? token.attrGet('src') : token.attrGet('href')
  if (url && token.type !== 'heading_open') {
    links.push({ line, url: decodeUrl(String(url)), isPicture })
  }

  if (token.type === 'html_block' || token.type === 'html_inline') {
    markupProblems.push({
      line,
      text: `HTML is shown as text: ${quoteExcerpt(token.content)}. Write it in Markdown, or as code.`,
    })
  }

  if (token.type === 'heading_open' && token.tag === 'h1') {
    markupProblems.push({
      line,
      text: 'Headings of an article start at `##`, because its title is the `#`. Add a `#`.',
    })
  }

  // The start of a callout that has a known name is no text.
  const [unknownCallout] =
    token.type === 'text' ? (/^:::+[ \t]*[\w-]*/.exec(token.content) ?? []) : []
  if (unknownCallout) {
    markupProblems.push({
      line,
      text: `\`${unknownCallout}\` is shown as text. Boxes are ${Object.keys(calloutTitles).join(', ')}: \`::: note\`, its text, and \`:::\`.`,
    })
  }
}

/**
 * Reports front matter: the settings that other programs read from the start of a Markdown file.
 */
function findFrontMatter(article: string): Problem[] {
  if (!frontMatter.test(article)) {
    return []
  }

  return [
    {
      line: 1,
      text: 'The lines between `---` (front matter) are shown as text. Delete them: course.yaml says all that.',
    },
  ]
}

/**
 * Matches lines like `title: Loops` and indented lines or list items, between two lines of `---`.
 */
const frontMatter = /^---[ \t]*\r?\n(?:\w[\w-]*:.*\r?\n|[ \t-].*\r?\n)+---[ \t]*(\r?\n|$)/

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
