import MarkdownIt from 'markdown-it'

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

const markdown = new MarkdownIt()

/** The anchors of an article's headings, in their order: what stands behind the `#` of an `explainedIn`. */
export function headingAnchors(article: string): string[] {
  return [...anchorsOf(markdown.parse(article, {})).values()]
}

/**
 * The anchor of each heading among the tokens: its words in lowercase, joined by hyphens. A heading whose words stood
 * before gets a number.
 */
export function anchorsOf(tokens: readonly Token[]): Map<Token, string> {
  const anchors = new Map<Token, string>()
  const counts = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const words = (tokens[index + 1]?.content ?? '').toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
    // Digits alone are seconds of a film.
    const anchor = /\D/.test(words.join('')) ? words.join('-') : ['part', ...words].join('-')
    const count = (counts.get(anchor) ?? 0) + 1
    counts.set(anchor, count)
    anchors.set(token, count === 1 ? anchor : `${anchor}-${count}`)
  }
  return anchors
}
