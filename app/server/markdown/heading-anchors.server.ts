import type MarkdownIt from 'markdown-it'
import { createArticleParser } from './article-syntax.server'

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

const parser = createArticleParser()

/**
 * Returns the anchors of an article's headings, in order. A question names one of them in `explainedIn`,
 * after a `#`.
 */
export function listHeadingAnchors(article: string): string[] {
  const anchorsByHeading = getHeadingAnchors(parser.parse(article, {}))
  return [...anchorsByHeading.values()]
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

    const headingText = tokens[index + 1]?.content ?? ''
    const uniqueAnchor = makeUnique(toAnchor(headingText), usedAnchors)
    usedAnchors.add(uniqueAnchor)
    anchors.set(token, uniqueAnchor)
  }

  return anchors
}

function toAnchor(headingText: string): string {
  const words = headingText.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  // An anchor of digits would mean seconds of a video.
  const hasOnlyDigits = !/\D/.test(words.join(''))
  return hasOnlyDigits ? ['part', ...words].join('-') : words.join('-')
}

function makeUnique(anchor: string, usedAnchors: ReadonlySet<string>): string {
  let uniqueAnchor = anchor
  for (let number = 2; usedAnchors.has(uniqueAnchor); number++) {
    uniqueAnchor = `${anchor}-${number}`
  }

  return uniqueAnchor
}
