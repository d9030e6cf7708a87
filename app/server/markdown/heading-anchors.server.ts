import type MarkdownIt from 'markdown-it'
import { createArticleParser } from './article-syntax.server'

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

const parser = createArticleParser()

/**
 * Returns the anchors of an article's headings, in order. A question names one of them in
 * `explainedIn`, after a `#`.
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
  const lastNumbers = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') {
      continue
    }

    const headingText = tokens[index + 1]?.content ?? ''
    const anchor = toAnchor(headingText)
    let uniqueAnchor = anchor
    // Numbers that are taken are not tried again: an article may repeat a heading thousands of
    // times.
    let number = lastNumbers.get(anchor) ?? 1
    while (usedAnchors.has(uniqueAnchor)) {
      number += 1
      uniqueAnchor = `${anchor}-${number}`
    }

    lastNumbers.set(anchor, number)
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
